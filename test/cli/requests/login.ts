/** Requests: login. */
import type { RequestCase } from "./request-case.ts";

export const loginCases: readonly RequestCase[] = [
  { command: "login s.x", sends: ["GET /v1/auth/token/lookup-self"] },
  { command: "login", typed: ["s.x"], sends: ["GET /v1/auth/token/lookup-self"] },
  {
    command: "login -method=userpass username=ada",
    typed: ["secret"],
    sends: [["PUT /v1/auth/userpass/login/ada", { password: "secret" }]],
  },
  {
    command: "login -method=ldap -path=staff username=ada password=p",
    sends: [["PUT /v1/auth/staff/login/ada", { password: "p" }]],
  },
  {
    command: "login -method=approle role_id=r secret_id=s",
    sends: [["PUT /v1/auth/approle/login", { role_id: "r", secret_id: "s" }]],
  },
  { command: "login -method=cert name=web", sends: [] },
  { command: "login -method=jwt -path=ci role=r jwt=j", sends: [["PUT /v1/auth/ci/login", { role: "r", jwt: "j" }]] },
];
