"""What only installation decides, worked out for one configuration."""
