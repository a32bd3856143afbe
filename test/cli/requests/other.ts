/** Requests: audit and namespaces. */
import type { RequestCase } from "./request-case.ts";

export const otherCases: readonly RequestCase[] = [
  { command: "audit list", sends: ["GET /v1/sys/audit"] },
  {
    command: "audit enable -path=main -description=d file file_path=/x",
    sends: [["PUT /v1/sys/audit/main", { type: "file", description: "d", options: { file_path: "/x" }, local: false }]],
  },
  { command: "audit disable main/", sends: ["DELETE /v1/sys/audit/main"] },
  { command: "namespace list", sends: ["GET /v1/sys/namespaces?list=true"] },
  { command: "namespace lookup team", sends: ["GET /v1/sys/namespaces/team"] },
  {
    command: "namespace create -custom-metadata=k=v team/",
    sends: [["POST /v1/sys/namespaces/team", { custom_metadata: { k: "v" } }]],
  },
  {
    command: "namespace patch -remove-custom-metadata=k team",
    sends: [["PATCH /v1/sys/namespaces/team", { custom_metadata: { k: null } }]],
  },
  { command: "namespace delete team", sends: ["DELETE /v1/sys/namespaces/team"] },
  {
    command: "namespace unlock -unlock-key=u team",
    sends: [["POST /v1/sys/namespaces/api-lock/unlock/team", { unlock_key: "u" }]],
  },
];
