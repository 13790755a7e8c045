"""What the operating system and the machine offer: processors, memory, devices, files."""
