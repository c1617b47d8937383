"""The JSON of plans and checks: typed records, from which JSON Schema and reference are made."""
