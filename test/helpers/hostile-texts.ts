import type { Page } from 'playwright-core'
import { HOSTILE as H, attempt, frameOf, logOf, WEBHOOK } from './hook-scenes.ts'
import { FORM, LEAD, LINKED } from './leads-shown.ts'
import { OFFICIAL, PAIRED } from './number-scenes.ts'
import { GRANTS, PEOPLE, SESSIONS } from './people-page-scenes.ts'
import type { Script } from './people-scenes.ts'

const LINK = 'javascript:refusedByPolicy("ran")'
const AT = '2026-11-01T10:00:00.000Z'

const FIRST = { ...PAIRED, name: H, state: 'OPEN', calling: { status: 'ENABLED' } }
const SECOND = { ...OFFICIAL, name: H, health: { ...OFFICIAL.health, level: 'warning', code: H, text: H } }
const CALL = {
  id: 'call_1',
  externalCallId: H,
  numberId: 'num_1',
  direction: 'INBOUND',
  status: 'FAILED',
  peerNumber: H,
  fromNumber: H,
  conversationId: null,
  bizOpaqueCallbackData: H,
  startedAt: AT,
  connectedAt: AT,
  endedAt: AT,
  durationSeconds: 5,
  errorCode: 'NO_RINGING',
  errorMessage: H,
  createdAt: AT,
  updatedAt: AT,
  playback: [
    { mediaUrl: LINK, status: 'FAILED', error: H },
    { mediaUrl: `https://a.example/${H}.mp3`, status: 'FINISHED' },
  ],
}
const TEMPLATE = {
  id: 'tpl_1',
  name: H,
  category: 'UTILITY',
  language: 'pt_BR',
  officialStatus: 'REJECTED',
  sendable: false,
  variables: [H.slice(0, 60)],
  body: {
    header: { type: 'TEXT', text: H },
    body: { text: H },
    footer: { text: H },
    buttons: [{ type: 'URL', text: H, url: LINK }],
    carousel: null,
  },
  examples: {},
  statusReason: H,
  statusDescription: H,
  quality: H,
  correctCategory: null,
  unsupported: [H],
  updatedAt: AT,
}
const FLOW = {
  id: 'flow_1',
  name: H,
  officialStatus: 'DRAFT',
  categories: ['OTHER'],
  healthStatus: 'LIMITED',
  validationErrors: [{ error: H, message: H, line_start: 1 }],
  previewUrl: LINK,
  syncError: { code: 'OFFICIAL_ERROR', message: H },
  updatedAt: AT,
}
const ANSWER = {
  id: 'fres_1',
  contactNumber: '5511990000001',
  contactName: H,
  response: { [H]: H },
  submittedAt: AT,
}
const AD = {
  sourceId: '1',
  sourceType: 'ad',
  conversations: 4,
  messages: 4,
  lastHeadline: H,
  lastSourceUrl: LINK,
  lastMessageAt: AT,
  adName: H,
}
const HOOK = { ...WEBHOOK, name: H, url: LINK, disabledReason: 'FAILING', active: false }

const USED = {
  messages: { inbound: 1, outbound: 0, byType: { [H]: 1 } },
  calls: { inbound: 0, outbound: 0, seconds: 0 },
  recordings: { count: 0, bytes: 0 },
  deliveries: { succeeded: 0, failed: 0, attempts: 0 },
  conversations: { MARKETING: 0, UTILITY: 0, AUTHENTICATION: 0, SERVICE: 0 },
}
const USAGE = {
  from: '2026-11-01',
  to: '2026-11-01',
  items: [{ day: '2026-11-01', channelNumberId: H, ...USED }],
  total: USED,
}

/** The answers of a service whose every text comes from somebody who means harm. */
export const HARM: Script = {
  'GET /api/overview': {
    body: {
      numbers: { OPEN: 1, CONNECTING: 0, CLOSE: 0 },
      checklist: { numberConnected: true },
      failing: [{ webhookId: H, failed24h: 3 }],
      liveCalls: 0,
      sandbox: null,
    },
  },
  'GET /api/v1/numbers': { body: [FIRST, SECOND] },
  'GET /api/v1/numbers/num_1': { body: FIRST },
  'GET /api/v1/numbers/num_2': { body: SECOND },
  'GET /api/v1/webhooks': { body: [HOOK] },
  'GET /api/v1/webhooks/wh_1': { body: HOOK },
  'GET /api/v1/webhooks/wh_1/logs': logOf(attempt(1, { event: H, payload: H, response: H })),
  'GET /api/v1/events': { body: { events: [frameOf('evt_1', 'num_1', H, { text: H, link: LINK })], after: null } },
  'GET /api/v1/api-keys': {
    body: [
      {
        numberId: 'num_1',
        number: '5511999990001',
        displayName: H,
        keyId: 'key_1',
        keyLast4: 'desk',
        key: 'k',
        revealable: true,
      },
    ],
  },
  'GET /api/tenant-key': { body: { keyId: 'key_t', keyLast4: 'wxyz', createdAt: AT } },
  'GET /api/calls': { body: { calls: [CALL] } },
  'GET /api/calls/call_1': { body: CALL },
  'GET /api/v1/users': { body: PEOPLE.map((one) => ({ ...one, name: H, email: `${H}@acme.example` })) },
  'GET /api/grants': { body: { grants: GRANTS.map((one) => ({ ...one, clientName: H, clientId: LINK })) } },
  'GET /api/sessions': { body: { sessions: SESSIONS.map((one) => ({ ...one, userAgent: H, address: H })) } },
  'GET /api/v1/embed/sessions': {
    body: {
      sessions: [
        {
          id: 'emb_00000000000000000000000001',
          surface: 'chat',
          channelNumberIds: ['num_1', H],
          allowedOrigins: [LINK, H],
          createdAt: AT,
          lastUsedAt: null,
          expiresAt: '2036-11-01T10:15:00.000Z',
          maxExpiresAt: '2036-11-01T22:00:00.000Z',
        },
      ],
    },
  },
  'GET /api/v1/templates': { body: { templates: [TEMPLATE], total: 1 } },
  'GET /api/v1/templates/tpl_1': { body: TEMPLATE },
  'POST /api/v1/templates/preview': { body: { name: H, variables: TEMPLATE.variables, preview: TEMPLATE.body } },
  'GET /api/v1/flows': { body: { flows: [FLOW], total: 1 } },
  'GET /api/v1/flows/flow_1': { body: FLOW },
  'GET /api/v1/flows/flow_1/json': { body: { flowJson: JSON.stringify({ [H]: H }) } },
  'GET /api/v1/flows/flow_1/responses': { body: { responses: [ANSWER], total: 1 } },
  'GET /api/v1/referrals/summary': { body: { ads: [AD], truncated: false } },
  'GET /api/v1/usage': { body: USAGE },
  'GET /api/v1/leads': { body: { leads: [{ ...LEAD, formName: H, adName: H, fullName: H, email: H }], total: 1 } },
  'GET /api/v1/leads/lead_1': {
    body: {
      lead: { ...LEAD, fullName: H, formName: H, pageName: H, fields: [{ key: H, label: H, values: [H, LINK] }] },
    },
  },
  'GET /api/v1/lead-pages': { body: { pages: [{ ...LINKED, pageName: H }] } },
  'GET /api/v1/lead-pages/700/forms': { body: { forms: [{ ...FORM, formName: H }] } },
}

/** Where hostile texts show: the path, and what is there once they do. */
export const SHOWN: readonly (readonly [path: string, ready: string])[] = [
  ['/dashboard', '[data-step]'],
  ['/dashboard/numbers', '[data-id=num_2]'],
  ['/dashboard/numbers/num_2', 'main[data-page=number] h2'],
  ['/dashboard/webhooks', '[data-id=wh_1]'],
  ['/dashboard/webhooks/wh_1', '[data-log]'],
  ['/dashboard/keys', '[data-id=num_1]'],
  ['/dashboard/calls', '[data-id=call_1]'],
  ['/dashboard/calls/call_1', 'main[data-id=call_1] h2'],
  ['/dashboard/people', '[data-id=grt_1]'],
  ['/dashboard/embeds', '[data-id=emb_00000000000000000000000001]'],
  ['/dashboard/templates', '[data-id=tpl_1]'],
  ['/dashboard/templates/tpl_1?number=num_2', '[data-preview]'],
  ['/dashboard/flows', '[data-id=flow_1]'],
  ['/dashboard/flows/flow_1?number=num_2', '[data-id=fres_1]'],
  ['/dashboard/leads', '[data-id=lead_1]'],
  ['/dashboard/leads/lead_1?number=num_2', '[data-field]'],
  ['/dashboard/ads', '[data-id="1"]'],
  ['/dashboard/usage', '[data-table=types]'],
]

/** What of hostile texts does harm to the page as it stands; `ran` and policy reports are faults of the stage. */
export async function harmOn(page: Page): Promise<string[]> {
  return await page.evaluate((text) => {
    const { document, getComputedStyle, innerWidth } = globalThis as any
    const harm: string[] = []
    const main = document.querySelector('main')
    const start = (node: any) => node.textContent.trim().slice(0, 60)
    if (!main.textContent.includes(text)) harm.push('the text is not shown')
    for (const one of document.querySelectorAll('main img[src=x], main script'))
      harm.push(`an element: ${one.outerHTML}`)
    for (const one of document.querySelectorAll('a[href]'))
      if (/^javascript:/i.test(one.href)) harm.push(`a link that runs: ${start(one)}`)
    if (document.documentElement.scrollWidth > innerWidth)
      for (const one of document.querySelectorAll('body *'))
        if (one.getBoundingClientRect().right > innerWidth + 1 && one.children.length === 0)
          harm.push(
            `wider than the window: <${one.localName} class="${one.className}"> in <${one.parentElement.className}>, ${start(one)}`,
          )
    // A text that turns the direction ends with the nearest element that isolates it, so nothing may follow it there.
    const texts = document.createTreeWalker(main, 4)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (!node.data.includes('\u202E') || node.parentElement.closest('option, textarea, script') !== null) continue
      let around = node.parentElement
      while (getComputedStyle(around).unicodeBidi === 'normal') around = around.parentElement
      const after = around.textContent.slice(around.textContent.lastIndexOf(node.data) + node.data.length).trim()
      if (after !== '') harm.push(`turned by ${node.parentElement.outerHTML.slice(0, 80)}: ${after.slice(0, 40)}`)
    }
    return harm
  }, '<img src=x onerror=')
}
