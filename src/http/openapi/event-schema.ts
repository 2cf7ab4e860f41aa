import { z } from 'zod'
import { CALL_CARRIERS, CALL_STATUSES } from '../../domain/call.ts'
import type { EventName } from '../../domain/events.ts'
import { RECORDING_CUTS, recordingUrl } from '../../domain/recording.ts'
import { NUMBER_STATES } from '../../domain/number.ts'
import type { DescribedEvent, EventDescription } from './described-event.ts'
import { MESSAGE_EVENTS } from './message-event-schema.ts'
import { LEAD } from '../routes/leads/examples.ts'
import { leadFields } from '../routes/leads/schema.ts'
import { timestamp } from '../routes/phone-schema.ts'

const e164 = z.string().meta({ description: 'E.164 with `+`', examples: ['+5511988887777'] })

/**
 * The call object as events carry it ([events.data.5]): without its SDP, its phone numbers with `+` ([rest.phones.2]).
 */
const callFields = {
  id: z.string(),
  externalCallId: z.string().nullable(),
  direction: z.enum(['INBOUND', 'OUTBOUND']),
  status: z.enum(CALL_STATUSES),
  peerNumber: e164,
  fromNumber: e164,
  conversationId: z.string().nullable(),
  media: z.enum(CALL_CARRIERS).nullable().meta({ description: 'Who carries the audio, as in a read of the call' }),
  bizOpaqueCallbackData: z.string().nullable().meta({ description: 'What the call was placed with' }),
  startedAt: timestamp.nullable(),
  connectedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
  durationSeconds: z.int().nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
}
const callData = z.object(callFields).meta({ id: 'CallEventData' })
const callEndedData = z
  .object({
    ...callFields,
    duration: z.int().optional().meta({ description: 'Seconds; only when the call was answered' }),
    recordingUrl: z.string().optional().meta({
      description: 'Where its recording will be; only when it was recorded. Event `call.recorded` tells when',
    }),
  })
  .meta({ id: 'CallEndedEventData' })
const callRecordedData = z
  .object({
    callId: z.string(),
    recordingUrl: z.string().meta({ description: 'A path of this service; needs the key' }),
    durationSeconds: z.int(),
    channels: z.literal(2).meta({ description: 'Left the peer, right the service' }),
    sizeBytes: z.int(),
    cutShort: z.enum(RECORDING_CUTS).nullable().meta({ description: 'Why it ended before its call' }),
  })
  .meta({ id: 'CallRecordedEventData' })

const numberData = z
  .object({
    numberId: z.string(),
    number: e164,
    name: z.string(),
    state: z.enum(NUMBER_STATES),
    createdAt: timestamp.meta({ description: 'When the number was created' }),
  })
  .meta({ id: 'NumberEventData' })

const permissionData = z
  .object({
    peerNumber: e164,
    status: z.enum(['NO_PERMISSION', 'TEMPORARY', 'PERMANENT']),
    expiresAt: timestamp.nullable().meta({ description: 'Of a temporary permission' }),
    createdAt: timestamp.meta({ description: 'When the contact decided' }),
  })
  .meta({ id: 'CallPermissionEventData' })
const PERMISSION_EXAMPLE = {
  peerNumber: '+5511999990001',
  status: 'TEMPORARY',
  expiresAt: '2026-01-12T12:00:00.000Z',
  createdAt: '2026-01-05T12:00:00.000Z',
}

const leadData = z
  .object({
    ...leadFields,
    redacted: z
      .boolean()
      .meta({ description: 'Reads withhold the person: as here, or, on a RELAY_ONLY number, everywhere but here' }),
  })
  .meta({ id: 'LeadEventData' })

const testData = z.looseObject({ message: z.string() }).meta({ id: 'TestEventData' })

const CALL_EXAMPLE = {
  id: 'call_01kb0000000000000000000000',
  media: null,
  externalCallId: '3EB0A9C1',
  direction: 'INBOUND',
  status: 'RINGING',
  peerNumber: '+5511999990001',
  fromNumber: '+5511988887777',
  conversationId: null,
  bizOpaqueCallbackData: null,
  startedAt: '2026-01-05T12:00:00.000Z',
  connectedAt: null,
  endedAt: null,
  durationSeconds: null,
  errorCode: null,
  errorMessage: null,
  createdAt: '2026-01-05T12:00:00.000Z',
  updatedAt: '2026-01-05T12:00:00.000Z',
}
const ANSWERED = {
  ...CALL_EXAMPLE,
  status: 'ACCEPTED',
  connectedAt: '2026-01-05T12:00:04.000Z',
  updatedAt: '2026-01-05T12:00:04.000Z',
}
const ENDED = {
  ...ANSWERED,
  status: 'COMPLETED',
  endedAt: '2026-01-05T12:00:46.000Z',
  durationSeconds: 42,
  updatedAt: '2026-01-05T12:00:46.000Z',
  duration: 42,
}
const RECORDED = {
  callId: 'call_01kb0000000000000000000000',
  recordingUrl: recordingUrl('call_01kb0000000000000000000000'),
  durationSeconds: 42,
  channels: 2,
  sizeBytes: 251_904,
  cutShort: null,
}
const MISSED = {
  ...CALL_EXAMPLE,
  status: 'MISSED',
  endedAt: '2026-01-05T12:01:00.000Z',
  updatedAt: '2026-01-05T12:01:00.000Z',
}
const NUMBER_EXAMPLE = {
  numberId: 'num_01kb0000000000000000000000',
  number: '+5511988887777',
  name: 'Front desk',
  state: 'OPEN',
  createdAt: '2026-01-05T11:00:00.000Z',
}

/** Every event, in the order of the document. */
const DESCRIPTIONS: Readonly<Record<EventName, EventDescription>> = {
  'call.ringing': { summary: 'An inbound call arrives', data: callData, example: CALL_EXAMPLE },
  'call.connected': { summary: 'A call is answered, by either side', data: callData, example: ANSWERED },
  'call.ended': {
    summary: 'A call is over; an outbound call that nobody answered, too',
    data: callEndedData,
    example: ENDED,
  },
  'call.recorded': {
    summary: 'The recording of a call is whole',
    data: callRecordedData,
    example: RECORDED,
  },
  'call.missed': { summary: 'An inbound call was not answered', data: callData, example: MISSED },
  'call.permission_updated': {
    summary: 'A contact permitted or forbade calls of an OFFICIAL number',
    data: permissionData,
    example: PERMISSION_EXAMPLE,
  },
  ...MESSAGE_EVENTS,
  'lead.received': {
    summary: 'Somebody submitted a form of a linked Page; only when listed by name',
    data: leadData,
    example: LEAD,
  },
  'number.created': {
    summary: 'A number was created',
    data: numberData,
    example: { ...NUMBER_EXAMPLE, state: 'CLOSE' },
  },
  'number.connected': { summary: 'A number is connected', data: numberData, example: NUMBER_EXAMPLE },
  'number.disconnected': {
    summary: 'A number was logged out, or did not reconnect within 30 s',
    data: numberData,
    example: { ...NUMBER_EXAMPLE, state: 'CLOSE' },
  },
  'number.removed': {
    summary: 'A number was removed',
    data: numberData,
    example: { ...NUMBER_EXAMPLE, state: 'CLOSE' },
  },
  'webhook.test': {
    summary: 'Asked for by `POST /v1/webhooks/{id}/test`',
    data: testData,
    example: { message: 'This is a test.' },
  },
}

/** The events that the document describes. */
export const DESCRIBED_EVENTS: readonly DescribedEvent[] = (Object.keys(DESCRIPTIONS) as EventName[]).map((event) => ({
  event,
  ...DESCRIPTIONS[event],
}))

/** The body of a delivery of our own events ([events.envelope.1]). */
export function envelopeOf({ event, data, example }: DescribedEvent) {
  const schema = z.object({
    id: z.string().meta({ description: 'The same on every attempt: drop what you have seen' }),
    event: z.literal(event),
    channelNumberId: z.string(),
    timestamp,
    data,
  })
  return {
    schema,
    example: {
      id: 'evt_01kb0000000000000000000000',
      event,
      channelNumberId: 'num_01kb0000000000000000000000',
      timestamp: '2026-01-05T12:00:00.000Z',
      data: example,
    },
  }
}
