/** Requests: entities, aliases and groups. */
import type { RequestCase } from "./request-case.ts";

const ada = "8d6a45e5-572f-8f13-d226-cd0d1ec57297";
const old = "de3d1f0e-0d0c-4b5f-9a53-5a2e1f6a8c11";
const known = {
  "GET /v1/identity/entity/name/ada": { json: { data: { id: ada } } },
  "GET /v1/identity/entity/name/old": { json: { data: { id: old } } },
};

export const identityCases: readonly RequestCase[] = [
  { command: "identity entity list -limit=2", sends: ["GET /v1/identity/entity/id?list=true&limit=2"] },
  { command: "identity entity read ada", sends: ["GET /v1/identity/entity/name/ada"] },
  { command: `identity entity read ${ada}`, sends: [`GET /v1/identity/entity/id/${ada}`] },
  {
    command: "identity entity create -policy=a -policy=b -metadata=team=web ada",
    sends: [["POST /v1/identity/entity", { name: "ada", policies: ["a", "b"], metadata: { team: "web" } }]],
  },
  {
    command: "identity entity update -disabled ada",
    sends: [["POST /v1/identity/entity/name/ada", { disabled: true }]],
  },
  { command: "identity entity update -name=eve ada", sends: [] },
  {
    command: `identity entity update -name=eve ${ada}`,
    sends: [[`POST /v1/identity/entity/id/${ada}`, { name: "eve" }]],
  },
  { command: "identity entity delete ada", sends: ["DELETE /v1/identity/entity/name/ada"] },
  {
    command: "identity entity merge ada old",
    replies: known,
    sends: [
      "GET /v1/identity/entity/name/ada",
      "GET /v1/identity/entity/name/old",
      ["POST /v1/identity/entity/merge", { to_entity_id: ada, from_entity_ids: [old], force: false }],
    ],
  },
  { command: "identity entity merge ada", sends: [] },
  { command: "identity alias list", sends: ["GET /v1/identity/entity-alias/id?list=true"] },
  { command: "identity alias read x", sends: ["GET /v1/identity/entity-alias/id/x"] },
  {
    command: "identity alias create -of=ada ada.l auth_userpass_1",
    replies: known,
    sends: [
      "GET /v1/identity/entity/name/ada",
      ["POST /v1/identity/entity-alias", { name: "ada.l", mount_accessor: "auth_userpass_1", canonical_id: ada }],
    ],
  },
  { command: "identity alias delete x", sends: ["DELETE /v1/identity/entity-alias/id/x"] },
  { command: "identity group list", sends: ["GET /v1/identity/group/id?list=true"] },
  { command: "identity group read web", sends: ["GET /v1/identity/group/name/web"] },
  {
    command: "identity group create -entity=ada -policy=p web",
    replies: known,
    sends: [
      "GET /v1/identity/entity/name/ada",
      ["POST /v1/identity/group", { name: "web", type: "internal", policies: ["p"], member_entity_ids: [ada] }],
    ],
  },
  {
    command: "identity group update -policy=q web",
    sends: [["POST /v1/identity/group/name/web", { policies: ["q"] }]],
  },
  { command: "identity group delete web", sends: ["DELETE /v1/identity/group/name/web"] },
  {
    command: "identity group-alias create staff auth_jwt_1",
    sends: [["POST /v1/identity/group-alias", { name: "staff", mount_accessor: "auth_jwt_1" }]],
  },
];
