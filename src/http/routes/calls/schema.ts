import { z } from 'zod'
import { isBlank } from '../../../domain/characters.ts'
import { CALL_CARRIERS, CALL_DIRECTIONS, CALL_STATUSES, PLAYBACK_STATUSES } from '../../../domain/call.ts'
import {
  DIALECTS,
  SESSION_DIRECTIONS,
  SESSION_MODES,
  SESSION_STATUSES,
  TAKEOVERS,
} from '../../../domain/realtime-session.ts'
import { dialFields } from '../dial-schema.ts'
import { queryInstant } from '../instant.ts'
import { contact, timestamp } from '../phone-schema.ts'
import { guardedAddress } from '../web-address.ts'

export const callParams = z.object({
  callId: z
    .string()
    .meta({ description: 'Service call id or provider call id', example: 'call_01kb0000000000000000000000' }),
})

/** our choice: the upstream official limit of `biz_opaque_callback_data`, for both kinds of number. */
const MAX_CALLBACK_DATA = 512

/**
 * `sdp` and `sdpType` have no type here, because what is wrong with them depends on the kind of number. The document
 * names the default of `sdpType` in words: generated clients take a field with a `default` for one that is always
 * there, and make callers send it.
 */
const sdp = (description: string) =>
  z
    .unknown()
    .optional()
    .meta({ type: 'string', description: `${description}. Refused on UNOFFICIAL numbers` })
const sdpType = (wanted: 'offer' | 'answer') =>
  z
    .unknown()
    .optional()
    .meta({
      type: 'string',
      enum: [wanted],
      description: `OFFICIAL numbers: \`${wanted}\`, also when absent. Refused on UNOFFICIAL numbers`,
    })

/** [bridged-calls.bridge.2] [bridged-calls.bridge.4] */
const media = z.literal('bridge').nullable().optional().meta({
  description:
    'OFFICIAL numbers: `bridge` has the service carry the audio, in place of an `sdp` of yours. It does so for every UNOFFICIAL number',
})

const record = z.boolean().optional().meta({
  description: 'Has the call recorded from its answer on, where the service carries its audio',
})

export const placeInput = z
  .object({
    to: contact(),
    media,
    sdp: sdp('OFFICIAL numbers: the offer (RFC 8866), with `a=setup:active`'),
    sdpType: sdpType('offer'),
    bizOpaqueCallbackData: z.string().max(MAX_CALLBACK_DATA).nullable().optional(),
    record,
  })
  .meta({ id: 'CallPlace' })

/** [calls.routes.2] [dashboard.routes.2]: calls in an answer unless asked otherwise. */
export const DEFAULT_LIMIT = 25

/** Reads 1 to 100 ([calls.routes.2]); the text `1e1` or ` 5` is no integer. */
export const limit = z
  .string()
  .transform((text, context) => {
    const value = /^\d{1,3}$/.test(text) ? Number(text) : 0
    if (value >= 1 && value <= 100) return value
    context.addIssue({ code: 'custom', message: 'must be a whole number from 1 to 100' })
    return z.NEVER
  })
  .meta({ type: 'integer', minimum: 1, maximum: 100, description: `Default ${DEFAULT_LIMIT}` })

export const listQuery = z.object({
  limit: limit.optional(),
  before: queryInstant('Only calls created before this moment, or before this day in UTC').optional(),
})

export const readQuery = z.object({
  includeSdp: z.string().optional().meta({ description: '1 adds sdpOffer and sdpAnswer' }),
})

export const playInput = z
  .object({
    mediaUrl: guardedAddress(),
    hangupAfterPlay: z.boolean().optional(),
  })
  .meta({ id: 'CallPlay' })

export const sessionInput = z
  .object({ mode: z.enum(SESSION_MODES).optional(), ...z.object(dialFields).partial().shape })
  .refine(({ connectTo, mode: _mode, ...rest }) => connectTo !== undefined || Object.keys(rest).length === 0, {
    path: ['connectTo'],
    message: 'is needed for the other fields; a socket of yours takes them in its query',
  })
  .optional()
  .meta({ id: 'RealtimeSessionRequest' })

export const takeoverInput = z
  .object({
    to: z
      .enum(TAKEOVERS)
      .optional()
      .meta({ description: '`talk`, also when absent: you take the call over. `bot`: you give it back' }),
  })
  .nullish()
  .meta({ id: 'CallTakeover' })

export const givenBack = z.object({ success: z.literal(true) }).meta({ id: 'CallGivenBack' })

export type SessionInput = z.infer<typeof sessionInput>

export const permissionQuery = z.object({ to: contact() })

export const answerInput = z
  .object({
    media,
    sdp: sdp('OFFICIAL numbers: the answer (RFC 8866)'),
    sdpType: sdpType('answer'),
    record,
  })
  .nullish()
  .meta({ id: 'CallSdpAnswer' })

const onOff = z.enum(['ENABLED', 'DISABLED'])

/**
 * Exactly these fields may be set ([calls.routes.9], [calls.settings.1]). What `call_hours` and `voicemail` hold is
 * upstream's to judge.
 */
export const settingsInput = z
  .strictObject({
    status: onOff.optional(),
    call_icon_visibility: z.enum(['DEFAULT', 'DISABLE_ALL']).optional(),
    callback_permission_status: onOff.optional(),
    call_hours: z.looseObject({}).optional().meta({ description: 'Replaces the stored object entirely' }),
    voicemail: z.looseObject({}).optional(),
  })
  .refine((settings) => Object.keys(settings).length > 0, 'has nothing to set')
  .meta({ id: 'CallSettingsInput' })

export const callSettings = z
  .looseObject({
    status: z.string().optional(),
    call_icon_visibility: z.string().optional(),
    callback_permission_status: z.string().optional(),
    call_hours: z.looseObject({}).optional(),
    voicemail: z.looseObject({}).optional(),
  })
  .meta({ id: 'CallSettings' })

export const permission = z
  .object({
    permission: z.object({
      status: z.string(),
      expiration_time: z.number().nullable().meta({ description: 'Unix seconds; of a temporary permission' }),
    }),
    actions: z.array(
      z.object({
        action_name: z.string(),
        can_perform_action: z.boolean(),
        limits: z.array(
          z.object({
            time_period: z.string().meta({ description: 'ISO 8601 duration' }),
            max_allowed: z.number(),
            current_usage: z.number(),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'CallPermission' })

export const permissionRequested = z
  .object({ success: z.literal(true), messageId: z.string() })
  .meta({ id: 'CallPermissionRequested' })

export const permissionInput = z
  .object({
    to: contact(),
    text: z
      .string()
      .min(1)
      .max(1024)
      .refine((text) => !isBlank(text), 'must show something: it is blank'),
  })
  .meta({ id: 'CallPermissionRequest' })

export const placedCall = z
  .object({ id: z.string(), externalCallId: z.string().nullable(), status: z.enum(CALL_STATUSES) })
  .meta({ id: 'PlacedCall' })

export const callAnswer = z
  .object({ success: z.literal(true), id: z.string(), status: z.enum(CALL_STATUSES) })
  .meta({ id: 'CallAnswer' })

export const callFields = {
  id: z.string(),
  externalCallId: z.string().nullable(),
  direction: z.enum(CALL_DIRECTIONS),
  status: z.enum(CALL_STATUSES),
  peerNumber: z.string().meta({ description: 'Digits, or the id of a user who hides the number' }),
  fromNumber: z.string().meta({ description: 'Digits' }),
  conversationId: z.string().nullable(),
  media: z.enum(CALL_CARRIERS).nullable().meta({
    description:
      'Who carries the audio of a call of an OFFICIAL number: the service, or your own WebRTC end; null on UNOFFICIAL numbers and before the answer of an inbound call',
  }),
  bizOpaqueCallbackData: z.string().nullable(),
  startedAt: timestamp.nullable(),
  connectedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
  durationSeconds: z.int().nullable().meta({ description: 'Set only when the call was answered' }),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
}

export const callList = z.object({ calls: z.array(z.object(callFields).meta({ id: 'Call' })) }).meta({ id: 'CallList' })

export const callRead = z
  .object({
    ...callFields,
    sessions: z
      .array(
        z.object({
          id: z.string(),
          direction: z.enum(SESSION_DIRECTIONS),
          mode: z.enum(SESSION_MODES),
          dialect: z.enum(DIALECTS),
          status: z.enum(SESSION_STATUSES),
          openedAt: timestamp.nullable(),
          closedAt: timestamp.nullable(),
          closeCode: z.int().nullable(),
          error: z.string().nullable().meta({ description: 'Why a socket did not open, or was lost' }),
        }),
      )
      .meta({ description: 'Realtime sessions, the newest first' }),
    playback: z.array(
      z.object({ mediaUrl: z.string(), status: z.enum(PLAYBACK_STATUSES), error: z.string().optional() }),
    ),
    recordingUrl: z
      .string()
      .nullable()
      .meta({ description: 'Where the recording is, once it is whole; a path that needs the key' }),
    sdpOffer: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Only with includeSdp=1; null on UNOFFICIAL numbers' }),
    sdpAnswer: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Only with includeSdp=1; null on UNOFFICIAL numbers' }),
  })
  .meta({ id: 'CallRead' })

export const deleted = z.object({ success: z.literal(true) }).meta({ id: 'RecordingDeleted' })

export const dialled = z
  .object({ sessionId: z.string(), status: z.literal('CONNECTING') })
  .meta({ id: 'RealtimeSessionDialled' })

export const session = z
  .object({
    wsUrl: z.string().meta({ description: 'Open this with a WebSocket; it carries the token' }),
    token: z.string().meta({ description: 'Single use' }),
    expiresIn: z.int().meta({ description: 'Seconds' }),
    expiresInSeconds: z.int(),
    expiresAt: timestamp,
  })
  .meta({ id: 'RealtimeSession' })
