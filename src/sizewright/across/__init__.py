"""One NFS load held against the machines of every guide."""
