import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'

/** A JSON Schema, as a document holds it. */
export type Schema = Readonly<Record<string, unknown>>

interface Content {
  readonly [type: string]: { readonly schema: Schema }
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

/** What makers of clients read of the OpenAPI document. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, unknown>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** What makers of clients read of the AsyncAPI document. */
export interface AsyncApi {
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly payload: Schema }>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

export interface Documents {
  readonly openapi: OpenApi
  readonly asyncapi: AsyncApi
  /** SHA-256 of both as they are printed, in hexadecimal: what was made of others is stale. */
  readonly hash: string
}

/** Reads both documents as their programs print them. */
export function readDocuments(): Documents {
  const [openapi, asyncapi] = ['openapi', 'asyncapi'].map((name) =>
    execFileSync(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        fileURLToPath(new URL(`../../src/http/print-${name}.ts`, import.meta.url)),
      ],
      { maxBuffer: 64 * 2 ** 20, encoding: 'utf8' },
    ),
  ) as [string, string]
  return {
    openapi: JSON.parse(openapi),
    asyncapi: JSON.parse(asyncapi),
    hash: createHash('sha256').update(openapi).update(asyncapi).digest('hex'),
  }
}
