import { SAMPLE } from '../samples.ts'

/** A minimal document that upstream takes. */
const DOCUMENT = {
  version: '7.1',
  screens: [
    {
      id: 'VISIT',
      title: 'Book a visit',
      terminal: true,
      layout: {
        type: 'SingleColumnLayout',
        children: [
          { type: 'DatePicker', name: 'day', label: 'Day', required: true },
          { type: 'Footer', label: 'Book', 'on-click-action': { name: 'complete', payload: { day: '${form.day}' } } },
        ],
      },
    },
  ],
}

export const CREATE = {
  'A first draft': { name: 'Book a visit', categories: ['APPOINTMENT_BOOKING'] },
  'The next version of one that is published': { name: 'Book a visit, with a time', cloneFromFlowId: SAMPLE.flowId },
}
export const PATCH = { name: 'Book a visit', categories: ['APPOINTMENT_BOOKING', 'LEAD_GENERATION'] }
export const UPLOAD = { flowJson: JSON.stringify(DOCUMENT) }
export const PUBLISH = { confirm: true }
export const DEPRECATE = { 'Without a successor': {}, 'With one': { supersededByFlowId: SAMPLE.flowId } }

const DRAFT = {
  id: SAMPLE.flowId,
  officialFlowId: '1234567890123456789',
  name: 'Book a visit',
  officialStatus: 'DRAFT',
  categories: ['APPOINTMENT_BOOKING'],
  jsonVersion: '',
  healthStatus: 'AVAILABLE',
  validationErrors: [],
  previewUrl: 'https://business.facebook.com/wa/manage/flows/1234567890123456789/preview/?token=b9d6',
  clonedFromFlowId: null,
  supersededByFlowId: null,
  syncError: null,
  publishedAt: null,
  createdAt: SAMPLE.createdAt,
  updatedAt: SAMPLE.soonAfter,
}
const FAULT = {
  error: 'INVALID_PROPERTY_VALUE',
  error_type: 'FLOW_JSON_ERROR',
  message: "Invalid value found for property 'type'.",
  line_start: 10,
  line_end: 10,
  column_start: 21,
  column_end: 34,
}
const REFUSED = { ...DRAFT, jsonVersion: '7.1', validationErrors: [FAULT] }
const WAITING = { ...DRAFT, officialFlowId: null, healthStatus: 'UNKNOWN', previewUrl: null }
const PUBLISHED = {
  ...DRAFT,
  officialStatus: 'PUBLISHED',
  jsonVersion: '7.1',
  publishedAt: SAMPLE.later,
  updatedAt: SAMPLE.later,
}

export const CREATED = { 'A draft': DRAFT, 'The platform was away: it is brought up later': WAITING }
export const READ = { 'A draft': DRAFT, 'Its document was refused': REFUSED, Published: PUBLISHED }
export const PATCHED = DRAFT
export const IS_PUBLISHED = PUBLISHED
export const DEPRECATED = { ...PUBLISHED, officialStatus: 'DEPRECATED' }
export const LIST = { flows: [PUBLISHED], total: 1, page: 1, pageSize: 30, totalPages: 1 }
export const SYNCED = { imported: 3, updated: 1, removed: 0, total: 12 }
export const DOCUMENT_READ = UPLOAD
export const TAKEN = { validationErrors: [] }
export const DELETED = { deleted: true, id: SAMPLE.flowId }

const RESPONSE = {
  id: 'fres_01kb0000000000000000000000',
  flowId: SAMPLE.flowId,
  contactNumber: SAMPLE.peer,
  contactName: 'Ana',
  conversationId: SAMPLE.conversationId,
  messageId: SAMPLE.messageId,
  externalMessageId: 'wamid.HBgNNTUxMTk5OTk5MDAwMRUCABIYFDNBQjE',
  flowToken: 'ft_jGNwq0vT4dTnqk0wLqCjvJ1e9c3yq7vXh2mYb5sR8oE',
  response: { day: '2026-01-12' },
  submittedAt: SAMPLE.later,
}
export const RESPONSES = {
  'A page': { responses: [RESPONSE], total: 1, page: 1, pageSize: 30, totalPages: 1 },
  'A number that stores none': {
    responses: [],
    total: 0,
    page: 1,
    pageSize: 30,
    totalPages: 0,
    notice: 'PII_RELAY_ONLY',
  },
}
