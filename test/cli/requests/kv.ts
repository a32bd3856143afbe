/** Requests: kv. */
import type { Replies } from "../recording-server.ts";
import type { RequestCase } from "./request-case.ts";

/** The server's answer to the question that comes before every `kv` command. */
const mountReply = (version: string) => ({ json: { data: { path: "secret/", options: { version } } } });
const versioned: Replies = {
  "GET /v1/sys/internal/ui/mounts/secret/a": mountReply("2"),
  "GET /v1/sys/internal/ui/mounts/secret": mountReply("2"),
};
const unversioned: Replies = { "GET /v1/sys/internal/ui/mounts/secret/a": mountReply("1") };
const probe = "GET /v1/sys/internal/ui/mounts/secret/a";

export const kvCases: readonly RequestCase[] = [
  {
    command: "kv put secret/a k=v",
    replies: versioned,
    sends: [probe, ["PUT /v1/secret/data/a", { data: { k: "v" }, options: {} }]],
  },
  {
    command: "kv put -cas=0 -mount=secret a k=v",
    replies: versioned,
    sends: [
      "GET /v1/sys/internal/ui/mounts/secret",
      ["PUT /v1/secret/data/a", { data: { k: "v" }, options: { cas: 0 } }],
    ],
  },
  { command: "kv put secret/a k=v", replies: unversioned, sends: [probe, ["PUT /v1/secret/a", { k: "v" }]] },
  {
    command: "kv put secret/a k=v",
    replies: { [probe]: { status: 404, json: { errors: [] } } },
    sends: [probe, ["PUT /v1/secret/a", { k: "v" }]],
  },
  { command: "kv get secret/a", replies: versioned, sends: [probe, "GET /v1/secret/data/a"] },
  { command: "kv get -version=3 secret/a", replies: versioned, sends: [probe, "GET /v1/secret/data/a?version=3"] },
  { command: "kv get secret/a", replies: unversioned, sends: [probe, "GET /v1/secret/a"] },
  {
    command: "kv patch -cas=4 secret/a k=v",
    replies: versioned,
    sends: [probe, ["PATCH /v1/secret/data/a", { data: { k: "v" }, options: { cas: 4 } }]],
  },
  {
    command: "kv patch -remove-data=old secret/a",
    replies: versioned,
    sends: [probe, ["PATCH /v1/secret/data/a", { data: { old: null }, options: {} }]],
  },
  {
    command: "kv patch -method=rw -remove-data=old secret/a k=v",
    replies: {
      ...versioned,
      "GET /v1/secret/data/a": { json: { data: { data: { old: 1, kept: 2 }, metadata: { version: 7 } } } },
    },
    sends: [
      probe,
      "GET /v1/secret/data/a",
      ["PUT /v1/secret/data/a", { data: { kept: 2, k: "v" }, options: { cas: 7 } }],
    ],
  },
  { command: "kv delete secret/a", replies: versioned, sends: [probe, "DELETE /v1/secret/data/a"] },
  {
    command: "kv delete -versions=1,2 secret/a",
    replies: versioned,
    sends: [probe, ["PUT /v1/secret/delete/a", { versions: ["1", "2"] }]],
  },
  { command: "kv delete secret/a", replies: unversioned, sends: [probe, "DELETE /v1/secret/a"] },
  {
    command: "kv undelete -versions=2 secret/a",
    replies: versioned,
    sends: [probe, ["PUT /v1/secret/undelete/a", { versions: ["2"] }]],
  },
  {
    command: "kv destroy -versions=2 -versions=3 secret/a",
    replies: versioned,
    sends: [probe, ["PUT /v1/secret/destroy/a", { versions: ["2", "3"] }]],
  },
  { command: "kv list secret/a", replies: versioned, sends: [probe, "GET /v1/secret/metadata/a?list=true"] },
  {
    command: "kv list -mount=secret",
    replies: versioned,
    sends: ["GET /v1/sys/internal/ui/mounts/secret", "GET /v1/secret/metadata?list=true"],
  },
  { command: "kv list secret/a", replies: unversioned, sends: [probe, "GET /v1/secret/a?list=true"] },
  { command: "kv metadata get secret/a", replies: versioned, sends: [probe, "GET /v1/secret/metadata/a"] },
  {
    command: "kv metadata put -max-versions=5 -cas-required -delete-version-after=90m -custom-metadata=o=p secret/a",
    replies: versioned,
    sends: [
      probe,
      [
        "PUT /v1/secret/metadata/a",
        { max_versions: 5, cas_required: true, delete_version_after: "1h30m0s", custom_metadata: { o: "p" } },
      ],
    ],
  },
  {
    command: "kv metadata patch -remove-custom-metadata=o secret/a",
    replies: versioned,
    sends: [probe, ["PATCH /v1/secret/metadata/a", { custom_metadata: { o: null } }]],
  },
  { command: "kv metadata delete secret/a", replies: versioned, sends: [probe, "DELETE /v1/secret/metadata/a"] },
  {
    command: "kv rollback -version=1 secret/a",
    replies: {
      ...versioned,
      "GET /v1/secret/data/a": { json: { data: { data: { k: 2 }, metadata: { version: 2 } } } },
      "GET /v1/secret/data/a?version=1": { json: { data: { data: { k: 1 }, metadata: { version: 1 } } } },
    },
    sends: [
      probe,
      "GET /v1/secret/data/a",
      "GET /v1/secret/data/a?version=1",
      ["PUT /v1/secret/data/a", { data: { k: 1 }, options: { cas: 2 } }],
    ],
  },
  {
    command: "kv enable-versioning secret",
    sends: [["POST /v1/sys/mounts/secret/tune", { options: { version: "2" } }]],
  },
];
