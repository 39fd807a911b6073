import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { messageOf } from "./engine/operation";
import type { ConfigValue, ResourceState, StackState } from "./engine/state";
import { emptyState, mapValues } from "./engine/state";
import type { PropertyMap, PropertyValue } from "./engine/values";
import { isSecret, rewriteMap, secret } from "./engine/values";

const properties: z.ZodType<PropertyMap> = z.record(z.string(), z.json());
const texts = z.array(z.string());
const flag = z.boolean().optional();

const resourceSchema = z.object({
  urn: z.string(),
  type: z.string(),
  custom: z.boolean(),
  provider: z.string().optional(),
  id: z.string().optional(),
  inputs: properties,
  outputs: properties,
  parent: z.string().optional(),
  dependencies: texts,
  propertyDependencies: z.record(z.string(), texts),
  protect: flag,
  retainOnDelete: flag,
  deletedWith: z.string().optional(),
  external: flag,
  delete: flag,
  pendingReplacement: flag,
  initErrors: texts.default([]),
  additionalSecretOutputs: texts.default([]),
  ignoreChanges: texts.default([]),
  replaceOnChanges: texts.default([]),
  created: z.string().optional(),
  modified: z.string().optional(),
});

const fileSchema = z.object({
  version: z.literal(1),
  project: z.string(),
  stack: z.string(),
  config: z.record(z.string(), z.object({ value: z.string(), secret: z.boolean().optional() })),
  resources: z.array(resourceSchema),
});

/** A stack's state in a file. Secrets in it are encrypted (AES-256-GCM), with a random key in `FILE.key`, which only its owner may read. */
export class StateFile {
  private readonly path: string;
  private key: Buffer | undefined;
  readonly state: StackState;

  /** Reads the file, or begins an empty state when there is none. @throws for another stack's state, and for an unreadable file */
  constructor(path: string, project: string, stack: string) {
    this.path = resolve(path);
    if (!existsSync(this.path)) {
      this.state = emptyState(project, stack);
      return;
    }
    const { version: _, ...stored } = this.parse();
    if (stored.project !== project || stored.stack !== stack) {
      const holds = `stack "${stored.stack}" of project "${stored.project}"`;
      throw new Error(`${path} holds the state of ${holds}, not of "${stack}" of "${project}": give another state file`);
    }
    this.state = {
      ...stored,
      config: mapValues(stored.config, (item) => (item.secret ? { ...item, value: this.decrypt(item.value) } : item)),
      resources: stored.resources.map((resource) => withProperties(resource, (part) => this.open(part))),
    };
  }

  /** Replaces the file as a whole, so it is never half written. */
  write(state: StackState): void {
    // The key is made before the first state, even without secrets: next to a state, a missing key file then means a lost key.
    this.cipherKey();
    const config = mapValues(state.config, (item: ConfigValue) => (item.secret ? { ...item, value: this.encrypt(item.value) } : item));
    const resources = state.resources.map((resource) => withProperties(resource, (part) => this.close(part)));
    const { project, stack } = state;
    const text = JSON.stringify({ version: 1, project, stack, config, resources }, undefined, 2);
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(`${this.path}.new`, `${text}\n`, { mode: 0o600 });
    renameSync(`${this.path}.new`, this.path);
  }

  private parse(): z.infer<typeof fileSchema> {
    try {
      return fileSchema.parse(JSON.parse(readFileSync(this.path, "utf8")));
    } catch (error) {
      const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
      throw new Error(`${this.path} is not a state file of the rehearsal engine: ${reason}`, { cause: error });
    }
  }

  /** A secret's value is encrypted, under "ciphertext". */
  private close(part: PropertyValue): PropertyValue {
    if (!isSecret(part)) return part;
    const { value, ...mark } = part;
    return { ...mark, ciphertext: this.encrypt(JSON.stringify(value ?? null)) };
  }

  private open(part: PropertyValue): PropertyValue {
    if (!isSecret(part) || typeof part.ciphertext !== "string") return part;
    return secret(z.json().parse(JSON.parse(this.decrypt(part.ciphertext))));
  }

  private encrypt(text: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.cipherKey(), nonce);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
  }

  private decrypt(text: string): string {
    const bytes = Buffer.from(text, "base64");
    const key = this.cipherKey();
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
    } catch (error) {
      throw new Error(`the secrets in ${this.path} cannot be decrypted: they have another key than ${this.path}.key`, { cause: error });
    }
  }

  private cipherKey(): Buffer {
    this.key ??= Buffer.from(this.keyFile(), "base64");
    return this.key;
  }

  private keyFile(): string {
    const path = `${this.path}.key`;
    if (!existsSync(path)) {
      if (existsSync(this.path))
        throw new Error(`the secrets in ${this.path} need ${path}, which is gone: restore it, or begin a new state`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, randomBytes(32).toString("base64"), { mode: 0o600 });
    }
    return readFileSync(path, "utf8");
  }
}

function withProperties(resource: ResourceState, change: (part: PropertyValue) => PropertyValue): ResourceState {
  return { ...resource, inputs: rewriteMap(resource.inputs, change), outputs: rewriteMap(resource.outputs, change) };
}
