"""Text and JSON from what the library found; nothing is computed here that a plan could say."""
