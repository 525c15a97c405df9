"""Brand visibility in AI answers, as Dagster data assets."""
