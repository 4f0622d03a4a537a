//! `--shard I/N`, and `--shard auto` on clusters that number their jobs.

use dhow::tournament::Shard;

use super::Failure;

/// Reads `I/N`, `auto` or `auto/N`.
///
/// # Errors
/// In words: it is no shard, or there is no numbered job to take the number from.
pub fn read(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, Failure> {
    let count = match text.split_once('/') {
        None if text == "auto" => None,
        Some(("auto", count)) => Some(number("--shard auto/N", count)?),
        _ => return Ok(text.parse()?),
    };
    let found = |name: &str| match variable(name) {
        Some(value) => number(name, &value).map(Some),
        None => Ok(None),
    };
    // Slurm says where its numbers begin, by how much they grow and how many there are.
    if let Some(task) = found("SLURM_ARRAY_TASK_ID")? {
        let first = found("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
        let step = match (found("SLURM_ARRAY_TASK_MAX")?, found("SLURM_ARRAY_TASK_COUNT")?) {
            (Some(last), Some(count)) if count > 1 && last > first => (last - first) / (count - 1),
            _ => 1,
        };
        let of = count.or(found("SLURM_ARRAY_TASK_COUNT")?).ok_or_else(|| {
            Failure::new("--shard auto: SLURM_ARRAY_TASK_COUNT is not set; write auto/N for N shards")
        })?;
        return shard(task.saturating_sub(first) / step.max(1) + 1, of);
    }
    // An indexed job of Kubernetes counts from 0 and does not say how many there are.
    if let Some(index) = found("JOB_COMPLETION_INDEX")? {
        let of = count.or(found("JOB_COMPLETIONS")?).ok_or_else(|| {
            Failure::new("--shard auto: JOB_COMPLETIONS is not set; write auto/N for N shards")
        })?;
        return shard(index.saturating_add(1), of);
    }
    Err(Failure::new(
        "--shard auto: neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set; expected a numbered job, or \
         --shard I/N",
    ))
}

fn shard(index: u64, of: u64) -> Result<Shard, Failure> {
    Shard::new(index, of).ok_or_else(|| Failure::new(format!("--shard auto: this is job {index} of {of}")))
}

fn number(name: &str, text: &str) -> Result<u64, Failure> {
    text.trim().parse().map_err(|_| Failure::new(format!("{name} is `{text}`: expected a whole number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str, variables: &[(&str, &str)]) -> Result<String, String> {
        let variable = |name: &str| {
            variables.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned())
        };
        read(text, variable).map(|shard| shard.to_string()).map_err(|failure| format!("{failure:?}"))
    }

    #[test]
    fn shards_are_named_or_taken_from_the_job() {
        assert_eq!(with("2/3", &[]), Ok("2/3".into()));
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "14"),
            ("SLURM_ARRAY_TASK_MIN", "10"),
            ("SLURM_ARRAY_TASK_MAX", "16"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
        ];
        assert_eq!(with("auto", &slurm), Ok("3/4".into()));
        assert_eq!(with("auto/8", &[("JOB_COMPLETION_INDEX", "0")]), Ok("1/8".into()));
        assert!(with("auto", &[("JOB_COMPLETION_INDEX", "0")]).unwrap_err().contains("auto/N"));
        assert!(with("auto", &[]).unwrap_err().contains("numbered job"));
        assert!(with("auto", &[("SLURM_ARRAY_TASK_ID", "x")]).unwrap_err().contains("`x`"));
        assert!(with("4/3", &[]).unwrap_err().contains("no shard"));
    }
}
