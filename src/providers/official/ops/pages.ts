import type { Fields } from '../../../domain/json-fields.ts'
import type { PageCredentials, PagePort, UpstreamRead } from '../../../ports/official/pages.ts'
import type { Graph } from '../client/graph.ts'
import { FORM_FIELDS, LEAD_FIELDS, LEADGEN, shownForm, shownLead } from '../lead/shown.ts'
import { digitIdIn, idIn, textIn } from '../values/loose.ts'
import { doneIn, unread } from '../client/read-result.ts'
import { appWebhookOps } from './app-webhook.ts'
import { OBJECT_BYTES, signedAsks } from './signed-asks.ts'
import type { ReadPage, SignedAsks } from './signed-asks.ts'

/** Our choice: pages of a Page's apps searched for ours, a hundred apps each; Pages have a few. */
const APP_PAGES = 10

/**
 * A Page, its forms and leads (docs/contract/leads.md), over `/{page}`, `/{form}`, `/{leadgen}` and
 * `/{app}/subscriptions`.
 */
export function pageOps(graph: Graph, credentials: PageCredentials): PagePort {
  const { pageId } = credentials
  const asks = signedAsks(graph, { queue: `page:${pageId}`, ...credentials })
  return {
    read: () => readPage(asks, pageId),
    subscribe: () => subscribe(asks, credentials),
    unsubscribe: () => unsubscribe(asks, credentials),
    ...appWebhookOps(graph, credentials),
    async forms(after) {
      const read = await asks.page(
        { op: 'page.forms', path: [pageId, 'leadgen_forms'], query: { fields: FORM_FIELDS } },
        after,
        shownForm,
      )
      return read.kind === 'read' ? { kind: 'read', value: { forms: read.value.items, next: read.value.next } } : read
    },
    form: (formId) => readForm(asks, formId),
    lead: (leadgenId) =>
      asks.ask(
        {
          op: 'lead.read',
          method: 'GET',
          path: [leadgenId],
          query: { fields: LEAD_FIELDS },
          answerBytes: OBJECT_BYTES,
        },
        (body) => {
          const lead = shownLead(body)
          return lead?.leadgenId === leadgenId ? { value: lead } : null
        },
      ),
    async leadsOf(formId, range, after) {
      const query = { fields: LEAD_FIELDS, filtering: filteringOf(range) }
      const read = await asks.page({ op: 'leads.list', path: [formId, 'leads'], query }, after, shownLead)
      return read.kind === 'read' ? { kind: 'read', value: { leads: read.value.items, next: read.value.next } } : read
    },
  }
}

async function readPage(asks: SignedAsks, asked: string): ReturnType<PagePort['read']> {
  return await asks.ask({ op: 'page.read', method: 'GET', path: [asked], query: { fields: 'id,name' } }, (body) => {
    const pageId = idIn(body)
    return pageId === null ? null : { value: { pageId, pageName: textIn(body, 'name') } }
  })
}

async function readForm(asks: SignedAsks, formId: string): ReturnType<PagePort['form']> {
  // A text that is no id names something else upstream, such as `me`.
  if (!/^\d{1,64}$/.test(formId)) return { kind: 'read', value: null }
  return await asks.find(
    { op: 'form.read', method: 'GET', path: [formId], query: { fields: FORM_FIELDS }, answerBytes: OBJECT_BYTES },
    (body) => {
      const form = shownForm(body)
      return form?.formId === formId ? { value: form } : null
    },
  )
}

/** Fields of the Page that our app is subscribed to; none when it is not subscribed. */
async function fieldsOfApp(
  asks: SignedAsks,
  { pageId, appId }: PageCredentials,
): Promise<UpstreamRead<readonly string[]>> {
  let after: string | null = null
  for (let page = 0; page < APP_PAGES; page++) {
    const read: UpstreamRead<ReadPage<Fields>> = await asks.page(
      { op: 'page.apps', path: [pageId, 'subscribed_apps'] },
      after,
      (fields) => fields,
    )
    if (read.kind !== 'read') return read
    const own = read.value.items.find((app) => digitIdIn(app, 'id') === appId)
    if (own) return { kind: 'read', value: textsIn(own['subscribed_fields']) }
    after = read.value.next
    if (after === null) return { kind: 'read', value: [] }
  }
  return unread('The listing does not end.')
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

async function subscribe(asks: SignedAsks, credentials: PageCredentials): Promise<UpstreamRead<null>> {
  const had = await fieldsOfApp(asks, credentials)
  if (had.kind !== 'read') return had
  return await setFields(asks, credentials, [...new Set([...had.value, LEADGEN])])
}

/** Unsubscribes from leads only: the app may hear of other fields of the Page for other purposes. */
async function unsubscribe(asks: SignedAsks, credentials: PageCredentials): Promise<UpstreamRead<null>> {
  const had = await fieldsOfApp(asks, credentials)
  if (had.kind !== 'read') return had
  const rest = had.value.filter((field) => field !== LEADGEN)
  if (rest.length > 0) return await setFields(asks, credentials, rest)
  return await asks.ask(
    { op: 'page.unsubscribe', method: 'DELETE', path: [credentials.pageId, 'subscribed_apps'] },
    doneIn,
  )
}

/** Sets the app's fields of the Page; upstream replaces those it had. */
async function setFields(
  asks: SignedAsks,
  { pageId }: PageCredentials,
  fields: readonly string[],
): Promise<UpstreamRead<null>> {
  return await asks.ask(
    {
      op: 'page.subscribe',
      method: 'POST',
      path: [pageId, 'subscribed_apps'],
      fields: { subscribed_fields: fields.join(',') },
    },
    doneIn,
  )
}

/** The filter of a range that includes both times. Upstream counts in seconds, and has only greater and less. */
function filteringOf({ since, until }: { readonly since: Date; readonly until: Date }): string {
  return JSON.stringify([
    { field: 'time_created', operator: 'GREATER_THAN', value: Math.ceil(since.getTime() / 1000) - 1 },
    { field: 'time_created', operator: 'LESS_THAN', value: Math.floor(until.getTime() / 1000) + 1 },
  ])
}
