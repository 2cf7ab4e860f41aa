import { createHmac } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import type { PageCredentials, UpstreamRead } from '../../../../src/ports/official/pages.ts'
import { pageOps } from '../../../../src/providers/official/ops/pages.ts'
import { rig } from '../scripted-graph.ts'
import type { RigOptions } from '../scripted-graph.ts'

export const PAGE: PageCredentials = {
  pageId: '77',
  accessToken: 'EAAGpagetoken',
  appId: '3003',
  appSecret: 'page-app-secret',
}
/** The proof of the app's secret, which goes with the Page's token. */
export const PROOF = createHmac('sha256', PAGE.appSecret).update(PAGE.accessToken).digest('hex')
/** An id above 2^53. */
export const LONG = '12345678901234567891'
export const LEAD_FIELDS =
  'id,created_time,form_id,ad_id,ad_name,adset_name,campaign_name,field_data,custom_disclaimer_responses,is_organic,platform'
export const RANGE = { since: new Date('2026-01-01T00:00:00.500Z'), until: new Date('2026-02-01T00:00:00.500Z') }

/** A scripted upstream, and the port of its Page. */
export async function openedPage(t: ExecutionContext, options: RigOptions = {}) {
  const { server, graph } = await rig(t, options)
  return { server, graph, page: pageOps(graph, PAGE) }
}

/** The value that was read; a refusal fails the test. */
export function valueOf<T>(read: UpstreamRead<T>): T {
  if (read.kind !== 'read') throw new Error(`${read.kind}: ${read.no.upstreamMessage}`)
  return read.value
}

export const FORM = {
  id: '88',
  name: 'Sign up',
  status: 'active',
  page_id: 77,
  questions: [
    { key: 'full_name', label: 'Your name', type: 'FULL_NAME' },
    { key: 'q2', type: 'custom' },
    { label: 'no key' },
    null,
  ],
  legal_content: {
    id: '1',
    custom_disclaimer: {
      checkboxes: [
        { key: 'yes', text: 'I agree', is_required: true },
        { key: 'more', text: 'And more' },
        { text: 'no key' },
      ],
    },
  },
}
