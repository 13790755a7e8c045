"""What suites ask of an exercise that is an nn.Module or takes layers."""
