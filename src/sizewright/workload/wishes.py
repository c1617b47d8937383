"""What the customer insists on, whatever else the plan holds."""

from sizewright.schema.model import Count, Flag, Name, SourcedModel


class CarryForward(SourcedModel):
    """Devices that exist and are to be used on; `device` is an id of the guide's."""

    device: Name
    """A row of table `disks` or `removable-media`."""
    count: Count = 1
    """How many of them."""


class Wishes(SourcedModel):
    """Platforms to choose from (all, if none is named), media to read, devices to keep.

    Media that stand in `removable_media` twice are two devices.
    With `third_party_disks`, disks of other makers may be chosen beside those on offer.
    """

    platforms: tuple[Name, ...] = ()
    """Rows of table `platforms` to choose from. Default: all that can be ordered."""
    removable_media: tuple[Name, ...] = ()
    """Rows of table `removable-media`; name one twice for two devices. Default: only mandatory
    devices."""
    carry_forward: tuple[CarryForward, ...] = ()
    """Existing devices: `{device: 1-0gb-ipi, count: 8}`, rows of table `disks`."""
    third_party_disks: Flag = False
    """Disks of other vendors may be chosen."""
