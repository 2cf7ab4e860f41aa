import { fail, succeed } from '../../../domain/errors.ts'
import type { Outcome } from '../../../domain/errors.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import { isSameLanguage } from '../../../domain/template-language.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { TemplatesPort, UpstreamTemplate } from '../../../ports/official/templates.ts'
import type { Graph, GraphRequest } from '../client/graph.ts'
import { isNotShown, refusalOf, unreadable } from '../errors/error-map.ts'
import { idIn, wordIn } from '../values/loose.ts'
import { shownTemplate, TEMPLATE_FIELDS } from '../template/shown.ts'
import { writeOf } from '../client/write-result.ts'
import { PAGE, readListing } from './listing.ts'
import { uploadSample } from './template-samples.ts'

/** Our choice: most pages searched for a name; upstream allows 6,000 templates in an account. */
const FIND_PAGES = 100

/**
 * Templates, over `/{account id}/message_templates` and `/{template id}`. Writes are never repeated here, because
 * upstream's creation is not idempotent.
 */
export function templatesOps(graph: Graph, credentials: OfficialCredentials): TemplatesPort {
  const path = [credentials.accountId, 'message_templates']
  const write = (op: string, request: Pick<GraphRequest, 'method' | 'path' | 'body' | 'query'>) =>
    graph.ask(credentials, { op, ...request, isRepeatable: false })
  return {
    async create({ name, language, category, components, parameterFormat, displayFormat }) {
      const answer = await write('template.create', {
        method: 'POST',
        path,
        body: {
          name,
          language,
          category,
          parameter_format: parameterFormat,
          components,
          ...(displayFormat === null ? {} : { display_format: displayFormat }),
        },
      })
      return writeOf(answer, (body) => {
        const externalId = idIn(body)
        return externalId === null
          ? null
          : { value: { externalId, status: wordIn(body, 'status'), category: wordIn(body, 'category') } }
      })
    },
    async edit(externalId, { components, parameterFormat, category }) {
      const answer = await write('template.edit', {
        method: 'POST',
        path: [externalId],
        body: {
          components,
          parameter_format: parameterFormat,
          ...(category === null ? {} : { category }),
        },
      })
      return writeOf(answer, doneIn)
    },
    async remove(externalId, name) {
      return writeOf(
        await write('template.remove', { method: 'DELETE', path, query: { hsm_id: externalId, name } }),
        doneIn,
      )
    },
    find: (name, language) => findTemplate(graph, credentials, name, language),
    read: (externalId) => readTemplate(graph, credentials, externalId),
    page: (after) => readPage(graph, credentials, after === null ? {} : { after }),
    uploadSample: (file) => uploadSample(graph, credentials, file),
  }
}

/** The result of an edit or a deletion: done when upstream says so, or names the template. */
function doneIn(body: Fields): { readonly value: null } | null {
  return body['success'] === true || idIn(body) !== null ? { value: null } : null
}

async function readTemplate(
  graph: Graph,
  credentials: OfficialCredentials,
  externalId: string,
): Promise<Outcome<UpstreamTemplate | null>> {
  const answer = await graph.ask(credentials, {
    op: 'template.read',
    method: 'GET',
    path: [externalId],
    query: { fields: TEMPLATE_FIELDS },
    isRepeatable: true,
  })
  if (!answer.ok) return isNotShown(answer.failure) ? succeed(null) : fail(refusalOf(answer.failure))
  const template = shownTemplate(answer.body)
  return template ? succeed(template) : fail(unreadable('The answer holds no template.'))
}

async function readPage(
  graph: Graph,
  credentials: OfficialCredentials,
  query: Readonly<Record<string, string>>,
): ReturnType<TemplatesPort['page']> {
  const read = await readListing(graph, credentials, {
    op: 'templates.list',
    edge: 'message_templates',
    of: 'template',
    query: { fields: TEMPLATE_FIELDS, limit: String(PAGE), ...query },
    shown: shownTemplate,
  })
  return read.ok ? succeed({ templates: read.value.items, next: read.value.next, isWhole: read.value.isWhole }) : read
}

/**
 * Finds a template by its exact name: upstream's filter also finds names that contain it. A DELETED one counts as
 * missing.
 */
async function findTemplate(
  graph: Graph,
  credentials: OfficialCredentials,
  name: string,
  language: string,
): Promise<Outcome<UpstreamTemplate | null>> {
  let [after, isWhole]: [string | null, boolean] = [null, true]
  for (let page = 0; page < FIND_PAGES; page++) {
    const read: Awaited<ReturnType<TemplatesPort['page']>> = await readPage(graph, credentials, {
      name,
      ...(after === null ? {} : { after }),
    })
    if (!read.ok) return read
    const found = read.value.templates.find(
      (one) => one.name === name && isSameLanguage(one.language, language) && one.status !== 'DELETED',
    )
    if (found) return succeed(found)
    isWhole &&= read.value.isWhole
    after = read.value.next
    // An unreadable item may be the one that is asked for.
    if (after === null)
      return isWhole ? succeed(null) : fail(unreadable('The answer holds something that is no template.'))
  }
  return fail(unreadable('The listing does not end.'))
}
