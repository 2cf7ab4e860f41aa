import test from 'ava'
import { newId } from '../../../../src/domain/ids.ts'
import { read, META, STATUS, AT, idOf } from './read-messages.ts'

test('statuses are told in the order upstream listed them, played is read', (t) => {
  const messageId = newId('msg')
  const events = read({
    ...META,
    statuses: ['read', 'sent', 'DELIVERED', 'played', 'deleted', 'warning'].map((status) => ({
      ...STATUS,
      status,
      biz_opaque_callback_data: messageId,
    })),
  })
  const common = {
    type: 'messageStatus',
    externalMessageId: 'wamid.A',
    messageId,
    failure: null,
    at: AT,
    priceCategory: null,
    recipient: STATUS.recipient_id,
  }
  t.deepEqual(
    events as unknown,
    ['READ', 'SENT', 'DELIVERED', 'READ'].map((status) => ({ ...common, status })),
  )
})

// [usage.objects.6]
test('a status tells the category of a price that is charged, and of no other', (t) => {
  const priceOf = (pricing: unknown) => {
    const [event] = read({ ...META, statuses: [{ ...STATUS, status: 'sent', pricing }] })
    return event?.type === 'messageStatus' ? event.priceCategory : undefined
  }
  t.is(priceOf({ billable: true, pricing_model: 'PMP', category: 'marketing' }), 'MARKETING')
  t.is(priceOf({ billable: true, pricing_model: 'PMP', category: 'marketing_lite' }), 'MARKETING')
  t.is(priceOf({ billable: true, category: 'authentication_international' }), 'AUTHENTICATION')
  t.is(priceOf({ billable: false, type: 'free_customer_service', category: 'service' }), null)
  t.is(priceOf({ billable: true, category: 'invented' }), null)
  for (const unreadable of [undefined, null, [], 'marketing', { billable: 'true', category: 7 }])
    t.is(priceOf(unreadable), null)
})

test('callback data that is no message id of ours is none', (t) => {
  for (const data of ['order-7', 'msg_', 'msg_x', `${newId('msg')}0`, newId('call'), '', 7, null]) {
    t.like(
      read({ ...META, statuses: [{ ...STATUS, status: 'sent', biz_opaque_callback_data: data }] })[0],
      { messageId: null },
      String(data),
    )
  }
})

const CODES: readonly (readonly [code: number | string, ours: string])[] = [
  [131026, 'CHANNEL_NOT_EXIST'],
  [131047, 'OFFICIAL_OUTSIDE_24H_WINDOW'],
  ['131053', 'OFFICIAL_MEDIA_UPLOAD_ERROR'],
  [131052, 'OFFICIAL_MEDIA_UPLOAD_ERROR'],
  [132001, 'OFFICIAL_TEMPLATE_NOT_APPROVED'],
  [132015, 'OFFICIAL_TEMPLATE_PAUSED'],
  [132016, 'OFFICIAL_TEMPLATE_DISABLED'],
  [132000, 'OFFICIAL_TEMPLATE_VARIABLES_MISMATCH'],
  ['132069', 'OFFICIAL_FLOW_THROTTLED'],
  [131021, 'INVALID_DESTINATION'],
  [131030, 'INVALID_DESTINATION'],
  [130429, 'OFFICIAL_RATE_LIMITED'],
  [131048, 'OFFICIAL_RATE_LIMITED'],
  [131056, 'OFFICIAL_RATE_LIMITED'],
  [4, 'OFFICIAL_RATE_LIMITED'],
  [613, 'OFFICIAL_RATE_LIMITED'],
  [80007, 'OFFICIAL_RATE_LIMITED'],
  [131049, 'OFFICIAL_MARKETING_LIMITED'],
  [7_654_321, 'OFFICIAL_ERROR'],
]
for (const [code, ours] of CODES) {
  test(`a message that failed by upstream ${code} failed by ${ours}`, (t) => {
    const errors = [{ code, title: 'Title', message: 'Message', error_data: { details: 'Details' }, href: 'https://' }]
    t.like(read({ ...META, statuses: [{ ...STATUS, status: 'failed', errors }] })[0], {
      status: 'FAILED',
      failure: { code: ours, message: 'Message', details: 'Details', upstreamCode: Number(code) },
    })
  })
}

test('a failure upstream says little of is a failure', (t) => {
  t.like(read({ statuses: [{ ...STATUS, status: 'failed' }] })[0], {
    failure: { code: 'OFFICIAL_ERROR', details: null, upstreamCode: null },
  })
  t.like(read({ statuses: [{ ...STATUS, status: 'failed', errors: [{ title: 'Title', error_data: 'text' }] }] })[0], {
    failure: { message: 'Title', details: 'text' },
  })
})

test('a status that did not fail has no failure, whatever comes with it', (t) => {
  t.like(read({ statuses: [{ ...STATUS, status: 'sent', errors: [{ code: 1 }] }] })[0], {
    status: 'SENT',
    failure: null,
  })
})

test('a thousand statuses of one change are all told, broken ones apart', (t) => {
  const statuses = Array.from({ length: 1_000 }, (_, index) =>
    index % 10 === 0
      ? [null, 3, {}, { id: 'x' }, [[]]][index % 5]
      : { ...STATUS, id: `wamid.${index}`, status: 'delivered' },
  )
  const events = read({ ...META, statuses })
  t.is(events.length, 900)
  t.deepEqual(events.slice(-1).map(idOf), ['wamid.999'])
})

test('a status of another kind than a message, such as a payment, is no delivery and no failure', (t) => {
  for (const type of ['payment', 'call', 'order', 'something_new']) {
    for (const status of ['failed', 'captured', 'pending', 'sent', 'delivered']) {
      t.deepEqual(
        read({
          ...META,
          statuses: [
            {
              ...STATUS,
              type,
              status,
              payment: { reference_id: 'order-7', amount: { value: 21_000, offset: 100 }, currency: 'BRL' },
            },
          ],
        }),
        [],
        `${type} ${status}`,
      )
    }
  }
  t.like(read({ ...META, statuses: [{ ...STATUS, type: 'message', status: 'failed' }] })[0], { status: 'FAILED' })
})
