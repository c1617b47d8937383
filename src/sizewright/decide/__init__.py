"""What decides: how far each figure can move, or the load grow, before a verdict flips."""
