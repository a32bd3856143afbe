# How a server is started for hvac's own tests: their certificate, and everything offered that they call.
storage "inmem" {}

listener "tcp" {
  tls_cert_file                            = "tests/config_files/server-cert.pem"
  tls_key_file                             = "tests/config_files/server-key.pem"
  disable_unauthed_rekey_endpoints         = false
  disable_unauthed_generate_root_endpoints = false
}

default_lease_ttl               = "768h"
max_lease_ttl                   = "768h"
unsafe_allow_api_audit_creation = true
audit_folders                   = ["/tmp"]
