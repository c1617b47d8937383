"""Per resource: who asks for how much, of what capacity, under which limit."""
