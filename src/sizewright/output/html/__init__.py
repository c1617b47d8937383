"""A plan as a page for the browser, and the drawing of its configuration."""
