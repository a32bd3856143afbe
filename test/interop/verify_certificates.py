"""Verifies a leaf and a revocation list under a root with Python's cryptography: verify_certificates.py root leaf crl (PEM files)."""

import sys

from cryptography import x509

root_file, leaf_file, list_file = sys.argv[1:]
with open(root_file, "rb") as file:
    root = x509.load_pem_x509_certificate(file.read())
with open(leaf_file, "rb") as file:
    leaf = x509.load_pem_x509_certificate(file.read())
with open(list_file, "rb") as file:
    revoked = x509.load_pem_x509_crl(file.read())

root.verify_directly_issued_by(root)
leaf.verify_directly_issued_by(root)
assert revoked.is_signature_valid(root.public_key())
for thing in (root, leaf, revoked):
    for extension in thing.extensions:
        assert extension.value is not None
print("sound")
