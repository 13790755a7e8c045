"""What every check needs: the decorator, the manifest, inputs, the reference, comparing, failing."""
