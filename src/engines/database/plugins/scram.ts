/** What PostgreSQL keeps of a password (RFC 5803): told this, it never hears the password itself. */
import { createHash, createHmac, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";

const iterations = 4096;

export async function scramVerifier(password: string, salt: Uint8Array = randomBytes(16)): Promise<string> {
  const salted = await promisify(pbkdf2)(password.normalize("NFKC"), salt, iterations, 32, "sha256");
  const hmac = (text: string) => createHmac("sha256", salted).update(text).digest();
  const stored = createHash("sha256").update(hmac("Client Key")).digest("base64");
  const serverKey = hmac("Server Key").toString("base64");
  return `SCRAM-SHA-256$${iterations}:${Buffer.from(salt).toString("base64")}$${stored}:${serverKey}`;
}
