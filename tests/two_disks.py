"""A server with two disks, both of them busier than they should be."""

TWO_DISKS = """\
name: two-disks
guide: sun-1992
platform: sparcstation-2
channels:
  - id: esp0
    kind: scsi-synchronous
    devices:
      - {id: sd0, device: 424mb-scsi, target: 3}
      - {id: sd1, device: 424mb-scsi, target: 1}
observed:
  disks: {sd0: {busy_percent: 80}, sd1: {busy_percent: 80}}
  cpu: {user_percent: 20, system_percent: 10}
"""
