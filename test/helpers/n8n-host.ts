/**
 * What n8n does with a package of nodes, as far as those of `clients/n8n` ask for it: the package is built, loaded by
 * its `n8n` field, and its nodes are run with the library of n8n (`n8n-workflow`, in `test/n8n-host`) and real HTTP.
 * n8n itself is not installed, because it takes about 1 GB.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, symlink } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installHost } from './host-packages.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HOST = join(ROOT, 'test/n8n-host')
const PACKAGE = join(ROOT, 'clients/n8n')
const COMPILER = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/** Its types are not there before it is installed. */
const hostRequire = createRequire(join(HOST, 'package.json'))
export const n8n = (): any => hostRequire('n8n-workflow')

/** Has the library of n8n. */
export async function installLibrary(): Promise<void> {
  await installHost(HOST, 'n8n-workflow', 'the library of n8n is')
}

/** Builds the package in a folder of its own, as it is published. Returns what the compiler said. */
export async function buildPackage(folder: string): Promise<string> {
  await cp(PACKAGE, folder, { recursive: true, filter: (path) => !/node_modules|\/dist$/.test(path) })
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['n8n-workflow', '@types/express'])
    await symlink(join(HOST, 'node_modules', name), join(folder, 'node_modules', name))
  await symlink(join(ROOT, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
  const { stdout } = await run(process.execPath, [COMPILER, '-p', folder]).catch((error: { stdout: string }) => error)
  await cp(join(folder, 'icons'), join(folder, 'dist/icons'), { recursive: true })
  return stdout
}

export interface LoadedPackage {
  /** Nodes by the name that workflows have for them. */
  readonly nodes: Readonly<Record<string, any>>
  readonly credentials: Readonly<Record<string, any>>
  /** Folder of each class, against which its icons stand. */
  readonly folders: ReadonlyMap<any, string>
}

/** Loads what the `n8n` field of a package names: a file is named after the class that it exports. */
export function loadPackage(folder: string): LoadedPackage {
  const { name, n8n: named } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const folders = new Map<any, string>()
  const load = (path: string): any => {
    const exported = createRequire(join(folder, 'package.json'))(`./${path}`)
    const made = new exported[basename(path).split('.')[0] ?? '']()
    folders.set(made, dirname(join(folder, path)))
    return made
  }
  const nodes = (named.nodes as string[]).map(load).map((node) => [`${name}.${node.description.name}`, node])
  const credentials = (named.credentials as string[]).map(load).map((one) => [one.name, one])
  return { nodes: Object.fromEntries(nodes), credentials: Object.fromEntries(credentials), folders }
}

/** A node of a workflow, as n8n runs it. */
export class NodeRun {
  /** What the node keeps between its runs. */
  readonly kept: Record<string, unknown> = {}
  readonly type: any
  readonly node: any
  readonly #loaded: LoadedPackage
  readonly #credentials: Readonly<Record<string, string>>

  constructor(loaded: LoadedPackage, node: object, credentials: Readonly<Record<string, string>>) {
    this.#loaded = loaded
    this.node = { id: 'node', name: 'Node', typeVersion: 1, position: [0, 0], ...node }
    this.type = loaded.nodes[this.node.type]
    this.#credentials = credentials
  }

  /** Runs a regular node with items. Resolves to the items of its output; a file is `{mimeType, bytes}`. */
  async execute(items: readonly any[] = [{ json: {} }], isGoingOn = false): Promise<any[]> {
    const [output] = await this.type.execute.call({
      ...this.#functions(),
      getInputData: () => items,
      getNodeParameter: (name: string, item: number, fallback: unknown) =>
        this.#parameters(items, item)[name] ?? fallback,
      continueOnFail: () => isGoingOn,
      helpers: {
        ...this.#helpers(),
        assertBinaryData: (item: number, name: string) => items[item].binary[name],
        getBinaryDataBuffer: async (item: number, name: string) => items[item].binary[name].bytes,
      },
    })
    return output
  }

  /** Runs a method of the webhook of a trigger, which is reached at `url`. */
  async hook(method: 'checkExists' | 'create' | 'delete', url: string): Promise<boolean> {
    return await this.type.webhookMethods.default[method].call({
      ...this.#functions(),
      getNodeParameter: (name: string, fallback: unknown) => this.#parameters([], 0)[name] ?? fallback,
      getNodeWebhookUrl: () => url,
      helpers: this.#helpers(),
    })
  }

  /** Runs the webhook of a trigger with a request, and answers as n8n does. Resolves to the items; null for none. */
  async receive(request: IncomingMessage, response: ServerResponse): Promise<any[] | null> {
    const withBody = Object.assign(request, {
      readRawBody: async () => void Object.assign(request, { rawBody: await buffer(request) }),
    })
    const { workflowData, noWebhookResponse } = await this.type.webhook.call({
      ...this.#functions(),
      getRequestObject: () => withBody,
      getResponseObject: () => response,
      getHeaderData: () => request.headers,
    })
    if (!noWebhookResponse) response.writeHead(200).end('{"message":"Workflow was started"}')
    return workflowData?.[0] ?? null
  }

  /** Tries the credentials as n8n does when they are saved. Resolves to the status of the answer. */
  async testCredentials(name: string): Promise<number> {
    const { baseURL, url } = this.#loaded.credentials[name].test.request
    const { headers } = this.#loaded.credentials[name].authenticate.properties
    const { status } = await fetch(`${this.#filled(baseURL)}${url}`, { headers: this.#filled(headers) })
    return status
  }

  /** Parameters with their defaults, of which n8n gives those that are shown. Expressions see the item. */
  #parameters(items: readonly any[], item: number): Record<string, unknown> {
    const { properties } = this.type.description
    const { parameters, name } = this.node
    const given = this.#expression().getParameterValue(parameters, null, 0, item, name, items, 'manual', {})
    return n8n().NodeHelpers.getNodeParameters(properties, given, true, false, this.node, this.type.description)
  }

  /** A text, or texts, with the credentials where they stand. */
  #filled(value: unknown): any {
    const keys = { $credentials: this.#credentials }
    return this.#expression().getComplexParameterValue(this.node, value, 'internal', keys)
  }

  #expression(): any {
    const { Workflow } = n8n()
    const nodeTypes = { getByNameAndVersion: () => this.type }
    return new Workflow({ nodes: [this.node], connections: {}, active: true, nodeTypes }).expression
  }

  #functions(): object {
    return {
      getNode: () => this.node,
      getCredentials: async () => this.#credentials,
      getWorkflowStaticData: () => this.kept,
    }
  }

  #helpers(): object {
    return { httpRequestWithAuthentication: async (name: string, asked: any) => await this.#request(name, asked) }
  }

  async #request(name: string, asked: any): Promise<unknown> {
    const { headers } = this.#loaded.credentials[name].authenticate.properties
    const query = new URLSearchParams(asked.qs)
    const answer = await fetch(query.size > 0 ? `${asked.url}?${query}` : asked.url, {
      method: asked.method,
      headers: { 'content-type': 'application/json', ...asked.headers, ...this.#filled(headers) },
      ...(asked.body ? { body: JSON.stringify(asked.body) } : {}),
    })
    const data = await answer.json()
    if (answer.ok) return data
    const said = `Request failed with status code ${answer.status}`
    const response = { status: answer.status, data }
    throw new (n8n().NodeApiError)(this.node, { message: said, httpCode: `${answer.status}`, response })
  }
}
