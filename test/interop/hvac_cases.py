"""What people do with hvac, the Python client: one class for each area, each on a new server at STRONGROOM_URL."""
import base64
import http.server
import json
import os
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

import hvac
from hvac import exceptions

URL = os.environ["STRONGROOM_URL"]


class Case(unittest.TestCase):
    """Initializes the server once, and gives every test a client with the root token."""

    keys = None
    root_token = None
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        client = hvac.Client(url=URL)
        made = client.sys.initialize(secret_shares=3, secret_threshold=2)
        cls.keys, cls.root_token = made["keys"], made["root_token"]
        client.sys.submit_unseal_keys(cls.keys[:2])

    def setUp(self):
        self.client = hvac.Client(url=URL, token=self.root_token)

    def client_with(self, rules, **settings):
        self.client.sys.create_or_update_policy("limited", rules)
        made = self.client.auth.token.create(policies=["limited"], **settings)
        return hvac.Client(url=URL, token=made["auth"]["client_token"])


class FromNothing(unittest.TestCase):
    """A server that nobody has touched; the tests run in the order of their names."""

    keys = None

    def setUp(self):
        self.client = hvac.Client(url=URL)

    def test_1_before_initialization(self):
        self.assertFalse(self.client.sys.is_initialized())
        self.assertEqual(self.client.sys.read_init_status(), {"initialized": False})
        self.assertTrue(self.client.sys.is_sealed())
        self.assertEqual(self.client.sys.read_health_status().status_code, 501)
        self.assertFalse(self.client.sys.read_health_status(method="GET").json()["initialized"])
        with self.assertRaises(exceptions.VaultDown):
            hvac.Client(url=URL, token="x").read("sys/mounts")

    def test_2_initialize_and_unseal(self):
        with self.assertRaises(exceptions.InvalidRequest):
            self.client.sys.initialize(secret_shares=3, secret_threshold=5)
        made = self.client.sys.initialize(secret_shares=5, secret_threshold=3)
        type(self).keys, type(self).token = made["keys"], made["root_token"]
        self.assertEqual((len(made["keys"]), len(made["keys_base64"])), (5, 5))
        self.assertTrue(self.client.sys.is_initialized())
        self.assertEqual(self.client.sys.read_health_status().status_code, 503)
        self.assertTrue(self.client.sys.read_health_status(sealed_code=200, method="GET")["sealed"])
        with self.assertRaises(exceptions.InvalidRequest):
            self.client.sys.initialize()
        progress = self.client.sys.submit_unseal_key(self.keys[0])
        self.assertEqual((progress["sealed"], progress["progress"], progress["t"]), (True, 1, 3))
        self.assertEqual(self.client.sys.submit_unseal_key(reset=True)["progress"], 0)
        self.assertFalse(self.client.sys.submit_unseal_keys(self.keys[:3])["sealed"])

    def test_3_unsealed(self):
        self.assertEqual(self.client.sys.read_health_status().status_code, 200)
        health = self.client.sys.read_health_status(method="GET")
        self.assertEqual((health["initialized"], health["sealed"], health["standby"]), (True, False, False))
        self.assertEqual(self.client.seal_status["n"], 5)
        self.assertIn("ha_enabled", self.client.sys.read_leader_status())
        self.assertIn("ha_enabled", self.client.ha_status)
        self.assertFalse(self.client.is_authenticated())
        self.client.token = self.token
        self.assertTrue(self.client.is_authenticated())

    def test_4_seal_again(self):
        self.client.token = self.token
        self.assertEqual(self.client.sys.seal().status_code, 204)
        self.assertTrue(self.client.sys.is_sealed())
        with self.assertRaises(exceptions.VaultDown):
            self.client.sys.list_mounted_secrets_engines()
        self.client.sys.submit_unseal_keys(self.keys[2:])
        self.assertFalse(self.client.sys.is_sealed())


class UnversionedSecrets(Case):
    def setUp(self):
        super().setUp()
        self.client.sys.enable_secrets_engine("kv", path="kv1", options={"version": "1"})
        self.kv = self.client.secrets.kv.v1

    def tearDown(self):
        self.client.sys.disable_secrets_engine("kv1")

    def test_write_read_list_delete(self):
        for method in ("POST", "PUT", None):
            self.kv.create_or_update_secret("a/b", {"text": "x", "number": 1}, method=method, mount_point="kv1")
        self.kv.create_or_update_secret("c", {"x": "y"}, mount_point="kv1")
        self.assertEqual(self.kv.read_secret("a/b", mount_point="kv1")["data"], {"text": "x", "number": 1})
        self.assertEqual(self.kv.list_secrets("", mount_point="kv1")["data"]["keys"], ["a/", "c"])
        self.assertEqual(self.kv.delete_secret("c", mount_point="kv1").status_code, 204)
        with self.assertRaises(exceptions.InvalidPath):
            self.kv.read_secret("c", mount_point="kv1")

    def test_plain_methods(self):
        self.assertEqual(self.client.write_data("kv1/x", data={"a": "b", "ttl": "90s"}).status_code, 204)
        read = self.client.read("kv1/x")
        self.assertEqual((read["data"]["a"], read["lease_duration"], read["lease_id"]), ("b", 90, ""))
        self.assertEqual(self.client.list("kv1")["data"], {"keys": ["x"]})
        self.client.delete("kv1/x")
        # What is not there is None for these.
        self.assertIsNone(self.client.read("kv1/x"))
        self.assertIsNone(self.client.list("kv1"))

    def test_generic_list_by_query(self):
        self.client.write_data("kv1/x", data={"a": "b"})
        listed = self.client.adapter.get("/v1/kv1", params={"list": True})
        self.assertEqual(listed["data"]["keys"], ["x"])

    def test_no_data(self):
        with self.assertRaises(exceptions.InvalidRequest):
            self.kv.create_or_update_secret("x", {}, mount_point="kv1")


class VersionedSecrets(Case):
    def setUp(self):
        super().setUp()
        self.client.sys.enable_secrets_engine("kv-v2", path="kv2")
        self.kv = self.client.secrets.kv.v2
        self.at = {"path": "a/b", "mount_point": "kv2"}

    def tearDown(self):
        self.client.sys.disable_secrets_engine("kv2")

    def read(self, **options):
        return self.kv.read_secret_version(**self.at, raise_on_deleted_version=True, **options)["data"]

    def test_versions(self):
        made = self.kv.create_or_update_secret(secret={"x": 1}, **self.at)["data"]
        self.assertEqual((made["version"], made["destroyed"], made["deletion_time"]), (1, False, ""))
        self.kv.create_or_update_secret(secret={"x": 2}, cas=1, **self.at)
        with self.assertRaises(exceptions.InvalidRequest):
            self.kv.create_or_update_secret(secret={"x": 3}, cas=1, **self.at)
        self.assertEqual(self.read()["data"], {"x": 2})
        self.assertEqual(self.read(version=1)["data"], {"x": 1})
        with self.assertRaises(exceptions.InvalidPath):
            self.read(version=3)

    def test_patch(self):
        with self.assertRaises(exceptions.InvalidPath):
            self.kv.patch(secret={"x": 1}, **self.at)
        self.kv.create_or_update_secret(secret={"x": 1, "y": 1}, **self.at)
        self.assertEqual(self.kv.patch(secret={"y": 2}, **self.at)["data"]["version"], 2)
        self.assertEqual(self.read()["data"], {"x": 1, "y": 2})

    def test_delete_undelete_destroy(self):
        for number in range(4):
            self.kv.create_or_update_secret(secret={"x": number}, **self.at)
        self.assertEqual(self.kv.delete_latest_version_of_secret(**self.at).status_code, 204)
        with self.assertRaises(exceptions.InvalidPath):
            self.read()
        gone = self.kv.read_secret_version(**self.at, raise_on_deleted_version=False)["data"]
        self.assertIsNone(gone["data"])
        self.assertNotEqual(gone["metadata"]["deletion_time"], "")
        self.kv.delete_secret_versions(versions=[1, 2], **self.at)
        self.kv.undelete_secret_versions(versions=[2, 4], **self.at)
        self.kv.destroy_secret_versions(versions=[3], **self.at)
        versions = self.kv.read_secret_metadata(**self.at)["data"]["versions"]
        states = {n: (v["deletion_time"] != "", v["destroyed"]) for n, v in versions.items()}
        self.assertEqual(
            states, {"1": (True, False), "2": (False, False), "3": (False, True), "4": (False, False)}
        )
        self.assertEqual(self.read()["data"], {"x": 3})

    def test_metadata(self):
        self.kv.update_metadata(
            max_versions=2, cas_required=True, delete_version_after="1h0m0s", custom_metadata={"owner": "me"}, **self.at
        )
        with self.assertRaises(exceptions.InvalidRequest):
            self.kv.create_or_update_secret(secret={"x": 1}, **self.at)
        for number in range(3):
            self.kv.create_or_update_secret(secret={"x": number}, cas=number, **self.at)
        read = self.kv.read_secret_metadata(**self.at)["data"]
        self.assertEqual(
            (read["max_versions"], read["cas_required"], read["delete_version_after"], read["custom_metadata"]),
            (2, True, "1h0m0s", {"owner": "me"}),
        )
        self.assertEqual((read["current_version"], read["oldest_version"], sorted(read["versions"])), (3, 2, ["2", "3"]))
        self.assertEqual(self.kv.list_secrets("", mount_point="kv2")["data"]["keys"], ["a/"])
        self.assertEqual(self.kv.list_secrets("a", mount_point="kv2")["data"]["keys"], ["b"])
        self.assertEqual(self.kv.delete_metadata_and_all_versions(**self.at).status_code, 204)
        with self.assertRaises(exceptions.InvalidPath):
            self.kv.read_secret_metadata(**self.at)
        with self.assertRaises(exceptions.InvalidPath):
            self.kv.list_secrets("", mount_point="kv2")

    def test_configuration(self):
        self.kv.configure(max_versions=7, cas_required=True, delete_version_after="10m0s", mount_point="kv2")
        read = self.kv.read_configuration("kv2")["data"]
        self.assertEqual((read["max_versions"], read["cas_required"], read["delete_version_after"]), (7, True, "10m0s"))


class Mounts(Case):
    def test_enable_list_tune_move_disable(self):
        self.client.sys.enable_secrets_engine(
            "kv", path="one", description="a place", config={"default_lease_ttl": "1h"}, options={"version": "1"}
        )
        mounts = self.client.sys.list_mounted_secrets_engines()
        # Some read the map below `data`, and some at the top.
        self.assertEqual(mounts["one/"], mounts["data"]["one/"])
        self.assertEqual((mounts["one/"]["type"], mounts["one/"]["description"]), ("kv", "a place"))
        self.assertLessEqual({"sys/", "cubbyhole/", "identity/"}, set(mounts["data"]))
        self.assertEqual(self.client.sys.retrieve_mount_option("one", "version"), "1")
        self.client.sys.tune_mount_configuration(
            "one", default_lease_ttl="30m", max_lease_ttl=7200, description="another", listing_visibility="unauth"
        )
        tuned = self.client.sys.read_mount_configuration("one")["data"]
        self.assertEqual((tuned["default_lease_ttl"], tuned["max_lease_ttl"]), (1800, 7200))
        self.assertEqual((tuned["description"], tuned["listing_visibility"]), ("another", "unauth"))
        self.client.write_data("one/x", data={"a": "b"})
        self.assertIn("migration_id", self.client.sys.move_backend("one", "two")["data"])
        self.eventually(lambda: self.assertEqual(self.client.read("two/x")["data"], {"a": "b"}))
        self.assertEqual(self.client.sys.disable_secrets_engine("two").status_code, 204)
        self.assertNotIn("two/", self.client.sys.list_mounted_secrets_engines()["data"])

    def test_refusals(self):
        self.client.sys.enable_secrets_engine("kv", path="taken")
        for kind, path in (("kv", "taken"), ("kv", "taken/below"), ("nonesuch", "x"), ("kv", "sys")):
            with self.assertRaises(exceptions.InvalidRequest):
                self.client.sys.enable_secrets_engine(kind, path=path)
        with self.assertRaises(exceptions.InvalidPath):
            self.client.secrets.kv.v1.read_secret("x", mount_point="nowhere")

    def test_auth_methods(self):
        methods = self.client.sys.list_auth_methods()
        self.assertEqual(methods["token/"], methods["data"]["token/"])
        self.assertEqual(methods["token/"]["type"], "token")
        self.client.sys.tune_auth_method("token", default_lease_ttl="1h", description="tokens")
        tuned = self.client.sys.read_auth_method_tuning("token")["data"]
        self.assertEqual((tuned["default_lease_ttl"], tuned["description"]), (3600, "tokens"))
        with self.assertRaises(exceptions.InvalidRequest):
            self.client.sys.disable_auth_method("token")

    def eventually(self, check):
        until = time.monotonic() + 30
        while True:
            try:
                return check()
            except (AssertionError, TypeError, exceptions.VaultError):
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)


class Policies(Case):
    RULES = 'path "kv/*" { capabilities = ["read", "list"] }'

    def test_current_interface(self):
        self.assertTrue(self.client.sys.create_or_update_acl_policy("Reader", self.RULES)["warnings"])
        self.assertEqual(self.client.sys.create_or_update_acl_policy("reader", self.RULES).status_code, 204)
        self.assertEqual(self.client.sys.read_acl_policy("reader")["data"]["policy"], self.RULES)
        self.assertLessEqual({"default", "reader", "root"}, set(self.client.sys.list_acl_policies()["data"]["keys"]))
        self.assertEqual(self.client.sys.delete_acl_policy("reader").status_code, 204)
        with self.assertRaises(exceptions.InvalidPath):
            self.client.sys.read_acl_policy("reader")

    def test_older_interface(self):
        self.client.sys.create_or_update_policy("old", {"path": {"kv/*": {"capabilities": ["read"]}}})
        read = self.client.sys.read_policy("old")
        self.assertEqual((read["name"], read["rules"]), (read["data"]["name"], read["data"]["rules"]))
        self.assertIn('"kv/*"', self.client.get_policy("old"))
        self.assertEqual(self.client.get_policy("old", parse=True)["path"]["kv/*"], {"capabilities": ["read"]})
        self.assertIn("old", self.client.sys.list_policies()["policies"])
        self.client.sys.delete_policy("old")
        self.assertNotIn("old", self.client.sys.list_policies()["data"]["policies"])
        self.assertIsNone(self.client.get_policy("old"))

    def test_refusals(self):
        for call in (
            lambda: self.client.sys.create_or_update_policy("bad", 'path "x" { capabilities = ["fly"] }'),
            lambda: self.client.sys.create_or_update_policy("root", self.RULES),
            lambda: self.client.sys.delete_policy("default"),
        ):
            with self.assertRaises(exceptions.InvalidRequest):
                call()

    def test_obeyed(self):
        self.client.sys.enable_secrets_engine("kv", path="kv", options={"version": "1"})
        self.client.write_data("kv/x", data={"a": "b"})
        limited = self.client_with(self.RULES)
        self.assertEqual(limited.read("kv/x")["data"], {"a": "b"})
        with self.assertRaises(exceptions.Forbidden) as refusal:
            limited.write_data("kv/x", data={"a": "c"})
        self.assertIn("permission denied", str(refusal.exception))
        with self.assertRaises(exceptions.Forbidden):
            limited.sys.list_mounted_secrets_engines()
        with self.assertRaises(exceptions.Forbidden):
            limited.read("nowhere/x")

    def test_capabilities(self):
        limited = self.client_with(self.RULES)
        told = limited.sys.get_capabilities(["kv/x", "sys/mounts"])
        self.assertEqual((told["kv/x"], told["sys/mounts"]), (["list", "read"], ["deny"]))
        self.assertEqual(self.client.sys.get_capabilities(["x"])["data"]["x"], ["root"])
        other = self.client.sys.get_capabilities(["kv/x"], token=limited.token)["data"]
        self.assertEqual(other["kv/x"], ["list", "read"])
        accessor = limited.auth.token.lookup_self()["data"]["accessor"]
        self.assertEqual(self.client.sys.get_capabilities(["kv/x"], accessor=accessor)["data"], other)


class Tokens(Case):
    def create(self, **settings):
        return self.client.auth.token.create(**settings)["auth"]

    def test_create_and_look_up(self):
        made = self.create(policies=["a", "b"], meta={"who": "me"}, ttl="1h", display_name="ci", num_uses=5)
        self.assertEqual((made["policies"], made["metadata"]), (["a", "b", "default"], {"who": "me"}))
        self.assertEqual((made["lease_duration"], made["renewable"], made["num_uses"]), (3600, True, 5))
        data = self.client.auth.token.lookup(made["client_token"])["data"]
        self.assertEqual((data["display_name"], data["path"], data["num_uses"]), ("token-ci", "auth/token/create", 5))
        self.assertEqual(self.client.lookup_token(made["client_token"])["data"], data)
        shown = self.client.auth.token.lookup_accessor(made["accessor"])["data"]
        self.assertEqual((shown["id"], shown["accessor"]), ("", made["accessor"]))
        self.assertIn(made["accessor"], self.client.auth.token.list_accessors()["data"]["keys"])
        self.assertEqual(self.client.auth.token.lookup_self()["data"]["policies"], ["root"])

    def test_kinds(self):
        batch = self.create(type="batch", policies=["default"], ttl="1h")
        self.assertEqual((batch["token_type"], batch["accessor"]), ("batch", ""))
        orphan = self.client.auth.token.create_orphan(policies=["default"])["auth"]
        self.assertTrue(self.client.auth.token.lookup(orphan["client_token"])["data"]["orphan"])
        periodic = self.create(policies=["default"], period="2h")
        self.assertEqual(self.client.auth.token.lookup(periodic["client_token"])["data"]["period"], 7200)
        named = self.create(id="my-own-name", policies=["default"])
        self.assertEqual(named["client_token"], "my-own-name")

    def test_renew(self):
        made = self.create(policies=["default"], ttl="1h")
        renew = self.client.auth.token
        self.assertEqual(renew.renew(made["client_token"], increment="2h")["auth"]["lease_duration"], 7200)
        self.assertEqual(renew.renew_accessor(made["accessor"], increment=600)["auth"]["lease_duration"], 600)
        own = hvac.Client(url=URL, token=made["client_token"])
        self.assertEqual(own.auth.token.renew_self(increment="3h")["auth"]["lease_duration"], 10800)
        with self.assertRaises(exceptions.InvalidRequest):
            renew.renew("s.nonesuch")
        with self.assertRaises(exceptions.InvalidRequest):
            renew.renew(self.create(policies=["default"], renewable=False)["client_token"])

    def test_revoke(self):
        parent = self.client_with('path "auth/token/*" { capabilities = ["update", "sudo"] }')
        child = parent.auth.token.create(policies=["default"])["auth"]["client_token"]
        other = self.create(policies=["default"])
        self.client.auth.token.revoke_accessor(other["accessor"])
        self.assertFalse(hvac.Client(url=URL, token=other["client_token"]).is_authenticated())
        self.client.auth.token.revoke_and_orphan_children(parent.token)
        self.assertFalse(parent.is_authenticated())
        self.assertTrue(self.client.auth.token.lookup(child)["data"]["orphan"])
        self.client.auth.token.revoke(child)
        with self.assertRaises(exceptions.Forbidden):
            self.client.auth.token.lookup(child)
        own = hvac.Client(url=URL, token=self.create(policies=["default"])["client_token"])
        own.auth.token.revoke_self()
        self.assertFalse(own.is_authenticated())
        leaving = hvac.Client(url=URL, token=self.create(policies=["default"])["client_token"])
        leaving.logout(revoke_token=True)
        self.assertIsNone(leaving.token)

    def test_roles(self):
        roles = self.client.auth.token
        roles.create_or_update_role("ci", allowed_policies="a,b", orphan=True, token_period="1h", path_suffix="x")
        self.assertEqual(roles.list_roles()["data"]["keys"], ["ci"])
        read = roles.read_role("ci")["data"]
        self.assertEqual((read["allowed_policies"], read["orphan"], read["path_suffix"]), (["a", "b"], True, "x"))
        made = self.create(role_name="ci", policies=["a"])
        self.assertEqual(made["policies"], ["a", "default"])
        with self.assertRaises(exceptions.InvalidRequest):
            self.create(role_name="ci", policies=["c"])
        self.assertEqual(roles.delete_role("ci").status_code, 204)
        with self.assertRaises(exceptions.InvalidPath):
            roles.read_role("ci")

    def test_uses_and_lifetime(self):
        once = hvac.Client(url=URL, token=self.create(policies=["default"], num_uses=1)["client_token"])
        self.assertTrue(once.is_authenticated())
        self.assertFalse(once.is_authenticated())
        self.assertEqual(self.client.auth.token.tidy().status_code, 202)

    def test_cubbyhole(self):
        own = hvac.Client(url=URL, token=self.create(policies=["default"])["client_token"])
        own.write_data("cubbyhole/x", data={"a": "b"})
        self.assertEqual(own.read("cubbyhole/x")["data"], {"a": "b"})
        self.assertIsNone(self.client.read("cubbyhole/x"))


class Wrapping(Case):
    def test_token(self):
        info = self.client.auth.token.create(policies=["default"], wrap_ttl="1m")["wrap_info"]
        self.assertEqual((info["ttl"], info["creation_path"]), (60, "auth/token/create"))
        made = hvac.Client(url=URL, token=info["token"]).sys.unwrap()["auth"]
        self.assertEqual(made["accessor"], info["wrapped_accessor"])
        with self.assertRaises(exceptions.InvalidRequest):
            self.client.sys.unwrap(info["token"])

    def test_data(self):
        info = self.client.sys.wrap({"a": "b"}, ttl=120)["wrap_info"]
        self.assertEqual(info["ttl"], 120)
        self.assertEqual(self.client.sys.unwrap(info["token"])["data"], {"a": "b"})


class Keys(Case):
    def test_1_rotate(self):
        term = self.client.key_status["term"]
        self.assertEqual(self.client.sys.rotate_encryption_key().status_code, 204)
        self.assertEqual(self.client.sys.get_encryption_key_status()["data"]["term"], term + 1)

    def test_2_root_token(self):
        anonymous = hvac.Client(url=URL).sys
        password = "x" * anonymous.read_root_generation_progress()["otp_length"]
        started = anonymous.start_root_token_generation(otp=password)
        for key in self.keys[:2]:
            answer = anonymous.generate_root(key, started["nonce"])
        self.assertTrue(answer["complete"])
        token = self.client.adapter.post(
            "/v1/sys/decode-token", json={"encoded_token": answer["encoded_token"], "otp": password}
        )["data"]["token"]
        self.assertEqual(hvac.Client(url=URL, token=token).auth.token.lookup_self()["data"]["policies"], ["root"])
        anonymous.start_root_token_generation(otp=password)
        self.client.sys.cancel_root_generation()
        self.assertFalse(anonymous.read_root_generation_progress()["started"])

    def test_3_new_shares(self):
        started = self.client.sys.start_rekey(secret_shares=3, secret_threshold=3, require_verification=True)
        self.assertTrue(self.client.rekey_status["started"])
        made = self.client.sys.rekey_multi(self.keys, nonce=started["nonce"])
        self.assertTrue(made["complete"])
        nonce = self.client.sys.read_rekey_verify_progress()["nonce"]
        self.assertTrue(self.client.sys.rekey_verify_multi(made["keys"], nonce=nonce)["complete"])
        self.client.sys.seal()
        self.client.sys.submit_unseal_keys(made["keys"])
        self.assertFalse(self.client.sys.is_sealed())
        with self.assertRaises(exceptions.InvalidRequest):
            self.client.sys.read_backup_keys()


class Leases(Case):
    def test_nothing_leased(self):
        for call in (self.client.sys.read_lease, self.client.sys.renew_lease):
            with self.assertRaises(exceptions.InvalidRequest):
                call("kv/nonesuch/abc")
        self.client.sys.revoke_lease("kv/nonesuch/abc")
        self.client.sys.revoke_prefix("kv")
        self.client.sys.revoke_force("kv")
        with self.assertRaises(exceptions.InvalidPath):
            self.client.sys.list_leases("kv")

    # Tokens are to be found, and ended, as leases below the path that made them.
    def test_token_leases(self):
        made = self.client.auth.token.create(policies=["default"], ttl="1h")["auth"]
        listed = self.client.sys.list_leases("auth/token/create")["data"]["keys"]
        self.assertTrue(listed)
        lease = self.client.sys.read_lease(f"auth/token/create/{listed[0]}")["data"]
        self.assertTrue(lease["renewable"])
        self.client.sys.revoke_prefix("auth/token/create")
        self.assertFalse(hvac.Client(url=URL, token=made["client_token"]).is_authenticated())


class Namespaces(Case):
    def test_life(self):
        made = self.client.sys.create_namespace(path="team")
        made = made if isinstance(made, dict) else made.json()
        self.assertEqual(made["data"]["path"], "team/")
        team = hvac.Client(url=URL, token=self.root_token, namespace="team")
        team.sys.create_namespace(path="web")
        self.assertIn("team/", self.client.sys.list_namespaces()["data"]["keys"])
        self.assertEqual(team.sys.list_namespaces()["data"]["keys"], ["web/"])
        with self.assertRaises(exceptions.VaultError):
            self.client.sys.delete_namespace(path="team")
        team.sys.delete_namespace(path="web")
        for _ in range(100):
            try:
                team.sys.list_namespaces()
            except exceptions.InvalidPath:
                break
            time.sleep(0.1)
        self.client.sys.delete_namespace(path="team")
        with self.assertRaises(exceptions.InvalidPath):
            team.sys.list_mounted_secrets_engines()

    def test_inside(self):
        self.client.sys.create_namespace(path="inside")
        inside = hvac.Client(url=URL, token=self.root_token, namespace="inside/")
        inside.sys.enable_secrets_engine("kv", path="kv", options={"version": "2"})
        inside.secrets.kv.v2.create_or_update_secret("db", {"password": "s"}, mount_point="kv")
        inside.sys.create_or_update_policy("reader", 'path "kv/*" { capabilities = ["read"] }')
        inside.sys.enable_auth_method("approle")
        inside.auth.approle.create_or_update_approle("web", token_policies=["reader"])
        role_id = inside.auth.approle.read_role_id("web")["data"]["role_id"]
        secret_id = inside.auth.approle.generate_secret_id("web")["data"]["secret_id"]
        web = hvac.Client(url=URL, namespace="inside")
        web.auth.approle.login(role_id, secret_id)
        read = web.secrets.kv.v2.read_secret_version("db", mount_point="kv", raise_on_deleted_version=True)
        self.assertEqual(read["data"]["data"], {"password": "s"})
        self.assertEqual(web.auth.token.lookup_self()["data"]["namespace_path"], "inside/")
        self.assertNotIn("kv/", self.client.sys.list_mounted_secrets_engines()["data"])
        outside = hvac.Client(url=URL, token=web.token)
        with self.assertRaises(exceptions.Forbidden):
            outside.auth.token.lookup_self()
        web.auth.token.renew_self()
        web.logout(revoke_token=True)


class Issuer:
    """Signs tokens with openssl, and answers as an OIDC provider does."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.key = os.path.join(self.folder.name, "key.pem")
        self.openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", self.key)
        self.public_key = self.openssl("pkey", "-in", self.key, "-pubout").decode()
        self.claims = {}
        issuer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer(issuer.metadata() if "openid-configuration" in self.path else {"keys": [issuer.jwk()]})

            def do_POST(self):
                self.rfile.read(int(self.headers["content-length"]))
                self.answer({"id_token": issuer.sign(issuer.claims), "access_token": "a", "token_type": "Bearer"})

            def answer(self, body):
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def openssl(self, *words, **options):
        return subprocess.run(["openssl", *words], check=True, capture_output=True, **options).stdout

    def metadata(self):
        return {
            "issuer": self.url,
            "jwks_uri": f"{self.url}/keys",
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
        }

    def jwk(self):
        text = self.openssl("rsa", "-pubin", "-modulus", "-noout", input=self.public_key.encode()).decode()
        modulus = bytes.fromhex(text.strip().split("=")[1])
        return {"kty": "RSA", "n": self.encode(modulus), "e": "AQAB"}

    @staticmethod
    def encode(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    def sign(self, claims):
        now = int(time.time())
        full = {"iat": now, "exp": now + 300, "iss": self.url, "sub": "ada", "aud": "strongroom", **claims}
        signed = ".".join(self.encode(json.dumps(part).encode()) for part in ({"alg": "RS256"}, full))
        return f"{signed}.{self.encode(self.openssl('dgst', '-sha256', '-sign', self.key, input=signed.encode()))}"

    def close(self):
        self.server.shutdown()
        self.folder.cleanup()


class SignedTokens(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.issuer = Issuer()
        cls.addClassCleanup(cls.issuer.close)

    def test_jwt(self):
        self.client.sys.enable_auth_method("jwt")
        method = self.client.auth.jwt
        method.configure(jwt_validation_pubkeys=[self.issuer.public_key], bound_issuer=self.issuer.url, default_role="ci")
        self.assertEqual(method.read_config()["data"]["bound_issuer"], self.issuer.url)
        method.create_role(
            name="ci",
            role_type="jwt",
            user_claim="sub",
            allowed_redirect_uris=[],
            bound_audiences=["strongroom"],
            bound_claims={"team": ["a", "b"]},
            claim_mappings={"team": "team"},
            token_policies=["ci"],
            token_ttl="10m",
        )
        self.assertEqual(method.list_roles()["data"]["keys"], ["ci"])
        read = method.read_role("ci")["data"]
        self.assertEqual((read["token_ttl"], read["bound_claims"]), (600, {"team": ["a", "b"]}))
        visitor = hvac.Client(url=URL)
        auth = visitor.auth.jwt.jwt_login(role="ci", jwt=self.issuer.sign({"team": "b"}))["auth"]
        self.assertEqual(auth["metadata"], {"role": "ci", "team": "b"})
        self.assertEqual(visitor.token, auth["client_token"])
        self.assertEqual(visitor.auth.token.lookup_self()["data"]["display_name"], "jwt-ada")
        with self.assertRaises(exceptions.InvalidRequest):
            visitor.auth.jwt.jwt_login(role="ci", jwt=self.issuer.sign({"team": "c"}))
        method.delete_role("ci")
        with self.assertRaises(exceptions.InvalidPath):
            method.read_role("ci")

    def test_oidc(self):
        self.client.sys.enable_auth_method("oidc")
        method = self.client.auth.oidc
        method.configure(oidc_discovery_url=self.issuer.url, oidc_client_id="strongroom", oidc_client_secret="s")
        redirect = "http://localhost:8250/oidc/callback"
        method.create_role(name="staff", user_claim="sub", allowed_redirect_uris=[redirect], token_policies=["staff"])
        visitor = hvac.Client(url=URL)
        asked = visitor.auth.oidc.oidc_authorization_url_request(role="staff", redirect_uri=redirect)
        query = urllib.parse.parse_qs(urllib.parse.urlparse(asked["data"]["auth_url"]).query)
        self.issuer.claims = {"nonce": query["nonce"][0]}
        answer = visitor.auth.oidc.oidc_callback(state=query["state"][0], nonce=query["nonce"][0], code="x")
        self.assertEqual(answer["auth"]["policies"], ["default", "staff"])


class Cluster:
    """Keeps users as a search engine does: what a password is changed to is what opens the door afterwards."""

    def __init__(self):
        self.users = {"manager": "root-secret", "app": "app-secret"}
        cluster = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def handle_call(self):
                body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
                expected = base64.b64encode(f"manager:{cluster.users['manager']}".encode()).decode()
                if self.headers["authorization"] != f"Basic {expected}":
                    return self.answer(401, {"error": {"reason": "unable to authenticate user"}})
                name = urllib.parse.unquote(self.path.removeprefix("/_security/user/").removesuffix("/_password"))
                if self.command == "GET":
                    return self.answer(200, {"username": "manager"})
                if self.command == "DELETE":
                    found = cluster.users.pop(name, None) is not None
                    return self.answer(200 if found else 404, {"found": found})
                cluster.users[name] = body["password"]
                return self.answer(200, {})

            do_GET = do_PUT = do_POST = do_DELETE = handle_call

            def answer(self, status, body):
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Databases(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.server.shutdown)

    def setUp(self):
        super().setUp()
        if "database/" not in self.client.sys.list_mounted_secrets_engines()["data"]:
            self.client.sys.enable_secrets_engine("database")
        self.database = self.client.secrets.database
        self.database.configure(
            name="search",
            plugin_name="searchengine-database-plugin",
            allowed_roles=["*"],
            url=self.cluster.url,
            username="manager",
            password=self.cluster.users["manager"],
        )

    def test_connections(self):
        self.assertEqual(self.database.list_connections()["data"]["keys"], ["search"])
        read = self.database.read_connection("search")["data"]
        self.assertEqual(read["connection_details"], {"url": self.cluster.url, "username": "manager"})
        self.assertEqual(read["root_credentials_rotate_statements"], [])
        self.database.reset_connection("search")
        self.database.rotate_root_credentials("search")
        self.assertNotEqual(self.cluster.users["manager"], "root-secret")
        self.database.reset_connection("search")
        with self.assertRaises(exceptions.InvalidRequest):
            self.database.configure(name="x", plugin_name="nosuch-database-plugin", allowed_roles=[])
        self.database.delete_connection("search")
        with self.assertRaises(exceptions.InvalidPath):
            self.database.read_connection("search")

    def test_dynamic_roles(self):
        self.database.create_role(
            name="reader",
            db_name="search",
            creation_statements=['{"searchengine_roles": ["reader"]}'],
            default_ttl="1h",
            max_ttl="24h",
        )
        self.assertEqual(self.database.list_roles()["data"]["keys"], ["reader"])
        read = self.database.read_role("reader")["data"]
        self.assertEqual((read["default_ttl"], read["max_ttl"], read["credential_type"]), (3600, 86400, "password"))
        made = self.database.generate_credentials("reader")
        user = made["data"]["username"]
        self.assertEqual(self.cluster.users[user], made["data"]["password"])
        self.assertEqual((made["lease_duration"], made["renewable"]), (3600, True))
        self.assertTrue(made["lease_id"].startswith("database/creds/reader/"))
        self.assertEqual(self.client.sys.renew_lease(made["lease_id"], increment=60)["lease_duration"], 60)
        self.client.sys.revoke_lease(made["lease_id"])
        self.assertNotIn(user, self.cluster.users)
        self.database.delete_role("reader")
        with self.assertRaises(exceptions.InvalidRequest):
            self.database.generate_credentials("reader")

    def test_static_roles(self):
        self.database.create_static_role(
            name="app", db_name="search", username="app", rotation_statements=[], rotation_period=86400
        )
        self.assertEqual(self.database.list_static_roles()["data"]["keys"], ["app"])
        self.assertEqual(self.database.read_static_role("app")["data"]["rotation_period"], 86400)
        first = self.database.get_static_credentials("app")["data"]
        self.assertEqual(self.cluster.users["app"], first["password"])
        self.assertIn("last_service_rotation", first)
        self.database.rotate_static_role_credentials("app")
        self.assertEqual(self.cluster.users["app"], self.database.get_static_credentials("app")["data"]["password"])
        self.assertNotEqual(self.cluster.users["app"], first["password"])
        self.database.delete_static_role("app")
        self.assertIn("app", self.cluster.users)


class Pki(Case):
    def setUp(self):
        super().setUp()
        for path in ("pki", "pki-root"):
            if path + "/" not in self.client.sys.list_mounted_secrets_engines()["data"]:
                self.client.sys.enable_secrets_engine("pki", path=path, config={"max_lease_ttl": "87600h"})
        self.pki = self.client.secrets.pki

    def authority(self):
        """A root in one mount, an intermediate in the other, and a role."""
        settings = {"key_type": "ec", "ttl": "87600h"}
        root = self.pki.generate_root("internal", "Root", extra_params=settings, mount_point="pki-root")["data"]
        asked = self.pki.generate_intermediate("internal", "Issuing", extra_params={"key_type": "ec"})["data"]
        signed = self.pki.sign_intermediate(
            asked["csr"], "Issuing", extra_params={"ttl": "43800h"}, mount_point="pki-root"
        )["data"]
        self.assertEqual(signed["issuing_ca"], root["certificate"])
        chain = signed["certificate"] + "\n" + root["certificate"]
        imported = self.pki.set_signed_intermediate(chain)["data"]["imported_issuers"]
        self.assertEqual(len(imported), 2)
        self.pki.create_or_update_role(
            "web", {"allowed_domains": "example.com", "allow_subdomains": True, "key_type": "ec", "max_ttl": "72h"}
        )
        return signed["certificate"]

    def test_1_life_of_a_certificate(self):
        issuing = self.authority()
        self.assertEqual(self.pki.read_ca_certificate(), issuing)
        self.assertTrue(self.pki.read_ca_certificate_chain().startswith(issuing))
        made = self.pki.generate_certificate("web", "www.example.com", {"ttl": "1h", "alt_names": "a.example.com"})["data"]
        self.assertEqual(
            sorted(made),
            [
                "ca_chain",
                "certificate",
                "expiration",
                "issuing_ca",
                "not_before",
                "private_key",
                "private_key_type",
                "serial_number",
            ],
        )
        self.assertEqual(made["issuing_ca"], issuing)
        self.assertEqual(len(made["ca_chain"]), 2)
        serial = made["serial_number"]
        self.assertIn(serial, self.pki.list_certificates()["data"]["keys"])
        self.assertEqual(self.pki.read_certificate(serial)["data"]["certificate"].strip(), made["certificate"])
        before = self.pki.read_crl()
        self.assertGreater(self.pki.revoke_certificate(serial)["data"]["revocation_time"], 0)
        self.assertNotEqual(self.pki.read_crl(), before)
        self.assertTrue(self.pki.rotate_crl()["data"]["success"])
        self.assertGreater(self.pki.read_certificate(serial)["data"]["revocation_time"], 0)
        self.pki.tidy({"tidy_cert_store": True, "safety_buffer": "1h"})

    def test_2_signing_requests(self):
        csr = self.pki.generate_intermediate("internal", "b.example.com", extra_params={"key_type": "ec"})["data"]["csr"]
        self.assertIn("BEGIN CERTIFICATE", self.pki.sign_certificate("web", csr, "b.example.com")["data"]["certificate"])
        self.assertNotIn("private_key", self.pki.sign_verbatim(csr, name="web")["data"])
        with self.assertRaises(exceptions.InvalidRequest) as refusal:
            self.pki.generate_certificate("web", "www.example.net")
        self.assertEqual(refusal.exception.errors, ["common name www.example.net not allowed by this role"])
        with self.assertRaises(exceptions.InvalidRequest):
            self.pki.generate_certificate("nonesuch", "www.example.com")

    def test_3_settings(self):
        self.pki.set_crl_configuration("48h", False)
        self.assertEqual(self.pki.read_crl_configuration()["data"]["expiry"], "48h")
        self.pki.set_urls({"issuing_certificates": ["http://ca.example.com/v1/pki/ca"]})
        self.assertEqual(self.pki.read_urls()["data"]["issuing_certificates"], ["http://ca.example.com/v1/pki/ca"])
        self.assertEqual(self.pki.list_roles()["data"]["keys"], ["web"])
        self.assertEqual(self.pki.read_role("web")["data"]["max_ttl"], 259200)
        self.pki.create_or_update_role("other", {"allow_any_name": True})
        self.pki.delete_role("other")
        with self.assertRaises(exceptions.InvalidPath):
            self.pki.read_role("other")

    def test_4_issuers(self):
        issuers = self.pki.list_issuers()["data"]
        issuer = next(id for id in issuers["keys"] if issuers["key_info"][id]["is_default"])
        changed = self.pki.update_issuer(issuer, {"issuer_name": "issuing", "leaf_not_after_behavior": "truncate"})
        self.assertEqual(changed["data"]["issuer_name"], "issuing")
        self.assertEqual(self.pki.read_issuer("issuing")["data"]["leaf_not_after_behavior"], "truncate")
        other = self.pki.generate_root("exported", "Second", extra_params={"key_type": "ec"})["data"]
        self.assertIn("PRIVATE KEY", other["private_key"])
        self.assertIn("certificate", self.pki.sign_self_issued(other["certificate"])["data"])
        self.assertTrue(self.pki.revoke_issuer(other["issuer_id"])["data"]["revoked"])
        self.pki.delete_issuer(other["issuer_id"])
        self.assertNotIn(other["issuer_id"], self.pki.list_issuers()["data"]["keys"])
        bundle = other["certificate"] + "\n" + other["private_key"]
        self.pki.submit_ca_information(bundle)
        self.pki.delete_root()
        with self.assertRaises(exceptions.InvalidPath):
            self.pki.list_issuers()


class Errors(Case):
    def test_classes(self):
        for call, kind in (
            (lambda: self.client.adapter.get("/v1/sys/policies/acl/nonesuch"), exceptions.InvalidPath),
            (lambda: self.client.adapter.post("/v1/sys/capabilities", json={}), exceptions.InvalidRequest),
            (lambda: hvac.Client(url=URL, token="wrong").adapter.get("/v1/sys/mounts"), exceptions.Forbidden),
            (lambda: hvac.Client(url=URL).adapter.get("/v1/sys/mounts"), exceptions.Forbidden),
            (lambda: self.client.adapter.put("/v1/sys/key-status"), exceptions.UnexpectedError),
        ):
            with self.assertRaises(kind) as refusal:
                call()
            self.assertIsInstance(refusal.exception.errors, list)

    def test_token_header_of_another_kind(self):
        session = hvac.Client(url=URL).session
        session.headers["Authorization"] = f"Bearer {self.root_token}"
        self.assertTrue(hvac.Client(url=URL, session=session).sys.list_mounted_secrets_engines()["data"])


if __name__ == "__main__":
    unittest.main()
