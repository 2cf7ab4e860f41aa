import { REVIEWED } from '../../../domain/template.ts'
import { SAMPLE } from '../samples.ts'

const SHIPPED = {
  name: 'order_shipped',
  category: 'UTILITY',
  language: 'en',
  body: {
    header: { type: 'TEXT', text: 'Your order' },
    body: { text: 'Hello {{customer}}, your order {{order}} is on its way.' },
    footer: { text: 'Acme' },
    buttons: [
      { type: 'URL', text: 'Track it', url: 'https://acme.shop/track/{{order}}' },
      { type: 'QUICK_REPLY', text: 'Thanks' },
    ],
  },
  examples: { customer: 'Ana', order: '10042' },
}

function withHeader(type: string, file: string) {
  return {
    name: `catalogue_${type.toLowerCase()}`,
    category: 'MARKETING',
    language: 'en',
    body: {
      header: { type, url: `https://cdn.acme.shop/${file}` },
      body: { text: 'Hello {{customer}}, here is what is new.' },
    },
    examples: { customer: 'Ana' },
  }
}

const CARDS = ['shoes', 'bags'].map((what) => ({
  media: { url: `https://cdn.acme.shop/${what}.jpg` },
  body: { text: `New ${what}` },
  buttons: [
    { type: 'QUICK_REPLY', text: 'Show me' },
    { type: 'URL', text: 'Buy', url: `https://acme.shop/${what}` },
  ],
}))

/** Examples with every type of header and of button. */
export const CREATE = {
  'Text header, URL and quick reply': SHIPPED,
  'Plain text': {
    name: 'hello',
    category: 'UTILITY',
    language: 'en',
    body: 'Hello {{customer}}, we have got your message.',
    examples: { customer: 'Ana' },
  },
  'Image header': withHeader('IMAGE', 'spring.jpg'),
  'Video header': withHeader('VIDEO', 'spring.mp4'),
  'Document header': withHeader('DOCUMENT', 'spring.pdf'),
  'Phone number button': {
    name: 'call_us',
    category: 'UTILITY',
    language: 'en',
    body: {
      body: { text: 'Do you have a question? We are here.' },
      buttons: [{ type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+55 11 98888-7777' }],
    },
  },
  'Copy code button': {
    name: 'coupon',
    category: 'MARKETING',
    language: 'en',
    body: {
      body: { text: 'Hello {{customer}}, this is for you.' },
      buttons: [{ type: 'COPY_CODE', example: ['SPRING25'] }],
    },
    examples: { customer: 'Ana' },
  },
  'One-time code': {
    name: 'login_code',
    category: 'OTP',
    language: 'en',
    body: {
      body: { text: 'Your code is {{code}}.' },
      footer: { codeExpirationMinutes: 10 },
      buttons: [{ type: 'COPY_CODE', text: 'Copy', example: ['{{code}}'] }],
    },
    examples: { code: '123456' },
  },
  'Payment request button (OFFICIAL)': {
    name: 'pay',
    category: 'UTILITY',
    language: 'pt_BR',
    body: {
      body: { text: 'Sua fatura chegou.' },
      buttons: [{ type: 'PAYMENT_REQUEST', text: 'Pagar', example: ['{{payment}}'] }],
    },
    examples: { payment: '00020126' },
  },
  'Order details button (saved and previewed only)': {
    name: 'order_details',
    category: 'UTILITY',
    language: 'pt_BR',
    body: { body: { text: 'Seu pedido está pronto.' }, buttons: [{ type: 'ORDER_DETAILS', text: 'Pagar' }] },
  },
  'Carousel (OFFICIAL)': {
    name: 'new_in',
    category: 'MARKETING',
    language: 'en',
    body: { body: { text: 'Hello {{customer}}, new in:' }, carousel: { cards: CARDS } },
    examples: { customer: 'Ana' },
  },
}

export const PREVIEW = {
  'With values': { ...SHIPPED, variables: { customer: 'Bo', order: '7' } },
  'With the examples': SHIPPED,
}

const BODY = {
  header: { type: 'TEXT', text: 'Your order' },
  body: SHIPPED.body.body,
  footer: SHIPPED.body.footer,
  buttons: SHIPPED.body.buttons,
  carousel: null,
}

const TEMPLATE = {
  id: SAMPLE.templateId,
  name: 'order_shipped',
  category: 'UTILITY',
  language: 'en',
  source: REVIEWED,
  officialStatus: 'PENDING',
  officialLanguage: 'en',
  sendable: false,
  variables: ['customer', 'order'],
  body: BODY,
  examples: SHIPPED.examples,
  externalId: '1234567890123456789',
  upstreamStatus: 'PENDING',
  statusReason: null,
  statusDescription: null,
  quality: 'UNKNOWN',
  requestedCategory: 'UTILITY',
  correctCategory: null,
  unsupported: [],
  submittedAt: SAMPLE.soonAfter,
  createdAt: SAMPLE.createdAt,
  updatedAt: SAMPLE.soonAfter,
}

const LOCAL = {
  ...TEMPLATE,
  source: 'LOCAL',
  officialStatus: null,
  officialLanguage: null,
  sendable: true,
  externalId: null,
  upstreamStatus: null,
  quality: null,
  requestedCategory: null,
  submittedAt: null,
  updatedAt: SAMPLE.createdAt,
}

const APPROVED = {
  ...TEMPLATE,
  officialStatus: 'APPROVED',
  upstreamStatus: 'APPROVED',
  sendable: true,
  quality: 'GREEN',
  updatedAt: SAMPLE.later,
}
const PAUSED = {
  ...APPROVED,
  officialStatus: 'DISABLED',
  upstreamStatus: 'PAUSED',
  sendable: false,
  quality: 'RED',
  statusReason: 'FIRST_PAUSE',
  statusDescription: 'Your template was paused for 3 hours because of its quality.',
}

export const CREATED = { 'OFFICIAL: under review': TEMPLATE, 'UNOFFICIAL: sendable at once': LOCAL }
export const READ = { Approved: APPROVED, Paused: PAUSED, 'UNOFFICIAL number': LOCAL }
export const LIST = { templates: [APPROVED], total: 1, page: 1, pageSize: 30, totalPages: 1 }
export const PREVIEWED = {
  name: 'order_shipped',
  variables: ['customer', 'order'],
  preview: {
    ...BODY,
    body: { text: 'Hello Bo, your order 7 is on its way.' },
    buttons: [
      { type: 'URL', text: 'Track it', url: 'https://acme.shop/track/7' },
      { type: 'QUICK_REPLY', text: 'Thanks' },
    ],
  },
}
export const UPDATE = { body: SHIPPED.body, examples: SHIPPED.examples }
export const DELETED = { deleted: true, id: SAMPLE.templateId }
export const SYNCED = { imported: 12, updated: 1, removed: 0, total: 13 }
