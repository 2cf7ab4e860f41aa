import type { OpenApi } from './documents.ts'
import { byResource, isFile, isIdempotent, methodsOf, pascal, pathParameters, queryParameters } from './keyed.ts'
import type { Method } from './keyed.ts'

/** Words that no parameter may be called. */
const KEYWORDS = new Set(['from', 'to', 'with', 'in', 'is', 'not', 'or', 'and', 'class', 'def', 'del', 'import'])

function snake(text: string): string {
  const name = text
    .replaceAll(/[-.]/g, '_')
    .replaceAll(/(?<=[a-z0-9])([A-Z])/g, '_$1')
    .toLowerCase()
  return KEYWORDS.has(name) ? `${name}_` : name
}

/** The members of the client, each a class of methods, as Python. */
export function resourcesPython(openapi: OpenApi, head: string): string {
  const resources = byResource(methodsOf(openapi))
  const members = [...resources.keys()].map((name) => `        self.${snake(name)} = ${pascal(name)}(send)`)
  return `${head}
from typing import Any, Optional
from urllib.parse import quote

from .request import Send


def _at(text: str) -> str:
    return quote(text, safe="")


${[...resources].map(([resource, methods]) => classText(resource, methods)).join('\n\n\n')}


class Resources:
    """What a client is: every resource as a member."""

    def __init__(self, send: Send) -> None:
${members.join('\n')}
`
}

function classText(resource: string, methods: readonly Method[]): string {
  return `class ${pascal(resource)}:
    def __init__(self, send: Send) -> None:
        self._send = send

${methods.map(methodText).join('\n\n')}`
}

function methodText(method: Method): string {
  const { name, verb, path, operation } = method
  const query = queryParameters(method)
  const { requestBody } = operation
  const body = requestBody?.required === false ? 'body: Optional[dict[str, Any]] = None' : 'body: dict[str, Any]'
  const parameters = [
    'self',
    ...pathParameters(method).map((one) => `${snake(one)}: str`),
    ...(requestBody ? [body] : []),
    ...(query.length > 0 ? ['*'] : []),
    ...query.map((one) => `${snake(one.name)}: ${one.required ? 'str' : 'Any = None'}`),
    '**options: Any',
  ]
  const asked = [
    `"${verb.toUpperCase()}"`,
    pathText(path),
    ...(requestBody ? ['body=body'] : []),
    ...(query.length > 0 ? [`query={${query.map((one) => `"${one.name}": ${snake(one.name)}`).join(', ')}}`] : []),
    ...(isIdempotent(method) ? ['is_idempotent=True'] : []),
    ...(isFile(method) ? ['is_file=True'] : []),
    '**options',
  ]
  return `    def ${snake(name)}(${parameters.join(', ')}) -> Any:
        """${operation.summary}. \`${verb.toUpperCase()} ${path}\`"""
        return self._send(${asked.join(', ')})`
}

function pathText(path: string): string {
  if (!path.includes('{')) return `"${path}"`
  return `f"${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{_at(${snake(name)})}`)}"`
}
