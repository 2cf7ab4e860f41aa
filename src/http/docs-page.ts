import { createHash } from 'node:crypto'
import type { OpenApiDocument } from './openapi.ts'

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--go:#0a7f5a}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
h2{margin-top:2.5rem}pre{background:var(--soft);padding:.75rem;overflow:auto;border-radius:.4rem}
code,pre{font-family:ui-monospace,monospace;font-size:.85rem}details{border:1px solid var(--line);border-radius:.4rem;margin:.5rem 0;padding:.5rem .75rem}
summary{cursor:pointer}summary b{display:inline-block;min-width:4.5rem;color:var(--go);text-transform:uppercase}
table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top}
nav a{margin-right:1rem}`

/** The page runs no script and loads nothing: its one style is allowed by its hash. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`

type Operation = NonNullable<NonNullable<OpenApiDocument['paths']>[string]['get']>

interface Entry {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** Renders the document as one self-contained page: operations by group, then schemas. */
export function docsPage(document: OpenApiDocument): string {
  const entries = entriesOf(document)
  const groups = (document.tags ?? []).map(({ name }) => name)
  const nav = [...groups, 'Schemas'].map((name) => `<a href="#${anchor(name)}">${text(name)}</a>`).join('')
  const sections = groups.map((group) => `<h2 id="${anchor(group)}">${text(group)}</h2>${entries.filter(({ operation }) => operation.tags?.includes(group)).map(renderEntry).join('')}`)
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => `<details id="schema-${anchor(name)}"><summary>${text(name)}</summary>${code(schema)}</details>`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${text(document.info.title)}</title><style>${STYLE}</style></head><body>
<h1>${text(document.info.title)} <small>${text(document.info.version)}</small></h1>
${paragraphs(document.info.description ?? '')}
<p>Machine-readable: <a href="/openapi.json">/openapi.json</a>. Keys go into the header <code>x-api-key</code>.</p>
<nav>${nav}</nav>${sections.join('')}<h2 id="schemas">Schemas</h2>${schemas.join('')}</body></html>`
}

function entriesOf(document: OpenApiDocument): Entry[] {
  return Object.entries({ ...document.paths, ...document.webhooks }).flatMap(([path, item]) => (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) => {
    const operation = item[method]
    return operation ? [{ method, path, operation }] : []
  }))
}

function renderEntry({ method, path, operation }: Entry): string {
  const samples: unknown = operation['x-codeSamples']
  const source = Array.isArray(samples) && typeof samples[0]?.source === 'string' ? samples[0].source : ''
  const body = operation.requestBody && 'content' in operation.requestBody ? operation.requestBody.content['application/json'] : undefined
  return `<details id="${anchor(operation.operationId ?? path)}"><summary><b>${method}</b> <code>${text(path)}</code> ${text(operation.summary ?? '')}</summary>
${paragraphs(operation.description ?? '')}${source === '' ? '' : `<pre>${text(source)}</pre>`}
${renderParameters(operation)}${body && 'schema' in body ? `<h4>Body</h4>${schemaView(body.schema)}${source === '' ? code(body.example) : ''}` : ''}${renderAnswers(operation)}</details>`
}

function renderParameters(operation: Operation): string {
  const rows = (operation.parameters ?? []).flatMap((parameter) => ('$ref' in parameter ? [] : [
    `<tr><td><code>${text(parameter.name)}</code></td><td>${text(parameter.in)}${parameter.required ? ', required' : ''}</td><td>${text(parameter.description ?? '')}</td></tr>`,
  ]))
  return rows.length === 0 ? '' : `<h4>Parameters</h4><table>${rows.join('')}</table>`
}

function renderAnswers(operation: Operation): string {
  const rows = Object.entries(operation.responses ?? {}).map(([status, answer]: [string, unknown]) => {
    const { description, content } = answer as { description?: string, content?: Record<string, { schema?: unknown }> }
    const schema = Number(status) < 400 ? content?.['application/json']?.schema : undefined
    return `<tr><td>${text(status)}</td><td>${text(description ?? '')}${schema ? schemaView(schema) : ''}</td></tr>`
  })
  return `<h4>Answers</h4><table>${rows.join('')}</table>`
}

/** A named schema is a link to it, any other is shown. */
function schemaView(schema: unknown): string {
  const reference = typeof schema === 'object' && schema !== null && '$ref' in schema ? String(schema.$ref) : null
  if (reference === null) return code(schema)
  const name = reference.slice(reference.lastIndexOf('/') + 1)
  return ` <a href="#schema-${anchor(name)}">${text(name)}</a>`
}

function code(value: unknown): string {
  return `<pre>${text(JSON.stringify(value, null, 2))}</pre>`
}

function paragraphs(markdown: string): string {
  return markdown.split('\n\n').filter(Boolean).map((part) => `<p>${text(part).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>`).join('')
}

function anchor(name: string): string {
  return name.toLowerCase().replaceAll(/[^\w]+/g, '-')
}

function text(raw: string): string {
  return raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
