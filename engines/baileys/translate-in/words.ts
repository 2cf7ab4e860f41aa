/**
 * Texts for kinds of messages that the bridge has no type for ([bridge.content.1]): orders, events, products,
 * invitations, payments and polls are told by their texts, one a line, so that a reader sees what somebody wrote.
 */
import type { proto } from 'baileys'

type Line = string | null | undefined
type Amount = number | { toString(): string } | null | undefined

interface Worded {
  readonly lines: readonly Line[]
  readonly context?: proto.IContextInfo | null | undefined
  /** The name of the kind, for a message without a text of its own. */
  readonly name: string
}

export interface Words {
  readonly text: string
  readonly context: proto.IContextInfo | null | undefined
}

/** The text of a message; null when it is of none of these kinds. `textOf` gives that of a message inside of it. */
export function readWords(
  message: proto.IMessage,
  textOf: (inner: proto.IMessage | null | undefined) => Line,
): Words | null {
  const worded =
    trade(message)
    ?? payment(message, textOf)
    ?? invitation(message)
    ?? happening(message)
    ?? poll(message)
    ?? other(message)
  if (!worded) return null
  return { text: worded.lines.filter(Boolean).join('\n') || worded.name, context: worded.context }
}

function trade({
  orderMessage: order,
  productMessage: offered,
  invoiceMessage: invoice,
}: proto.IMessage): Worded | null {
  if (order) {
    const count = order.itemCount ? `× ${order.itemCount}` : null
    return {
      name: 'Order',
      lines: [order.orderTitle, order.message, count, money(order.totalAmount1000, order.totalCurrencyCode)],
      context: order.contextInfo,
    }
  }
  if (offered) {
    const { product, catalog, body, footer } = offered
    const price = money(product?.priceAmount1000, product?.currencyCode)
    return {
      name: 'Product',
      lines: [
        product?.title ?? catalog?.title,
        product?.description ?? catalog?.description,
        price,
        product?.url,
        body,
        footer,
      ],
      context: offered.contextInfo,
    }
  }
  return invoice ? { name: 'Invoice', lines: [invoice.note] } : null
}

function payment(
  { sendPaymentMessage: sent, requestPaymentMessage: asked, paymentInviteMessage: invited }: proto.IMessage,
  textOf: (inner: proto.IMessage | null | undefined) => Line,
): Worded | null {
  if (sent) return { name: 'Payment', lines: [textOf(sent.noteMessage)] }
  if (asked) {
    const amount = asked.amount
      ? money(asked.amount.value, asked.amount.currencyCode, asked.amount.offset ?? 1)
      : money(asked.amount1000, asked.currencyCodeIso4217)
    return { name: 'Payment request', lines: [textOf(asked.noteMessage), amount] }
  }
  return invited ? { name: 'Payment invitation', lines: [] } : null
}

function invitation({
  groupInviteMessage: group,
  newsletterAdminInviteMessage: admin,
  newsletterFollowerInviteMessageV2: follower,
}: proto.IMessage): Worded | null {
  if (group) return { name: 'Group invitation', lines: [group.groupName, group.caption], context: group.contextInfo }
  const channel = admin ?? follower
  return channel
    ? { name: 'Channel invitation', lines: [channel.newsletterName, channel.caption], context: channel.contextInfo }
    : null
}

function happening({ eventMessage: event, scheduledCallCreationMessage: call }: proto.IMessage): Worded | null {
  if (call) return { name: 'Call', lines: [call.title, instant(call.scheduledTimestampMs, 1)] }
  if (!event) return null
  const { name, description, location, startTime, endTime, joinLink, contextInfo } = event
  const [from, to] = [instant(startTime, 1_000), instant(endTime, 1_000)]
  return {
    name: 'Event',
    lines: [
      name,
      description,
      from === null ? null : to === null ? from : `${from} – ${to}`,
      location?.name,
      location?.address,
      joinLink,
    ],
    context: contextInfo,
  }
}

/** A poll as its question and its options, one a line, with the result beside each when it is known. */
function poll(message: proto.IMessage): Worded | null {
  const asked =
    message.pollCreationMessage
    ?? message.pollCreationMessageV2
    ?? message.pollCreationMessageV3
    ?? message.pollCreationMessageV5
  if (asked)
    return {
      name: 'Poll',
      lines: [asked.name, ...(asked.options ?? []).map(({ optionName }) => `• ${optionName ?? ''}`)],
      context: asked.contextInfo,
    }
  const result = message.pollResultSnapshotMessage ?? message.pollResultSnapshotMessageV3
  return result
    ? {
        name: 'Poll',
        lines: [
          result.name,
          ...(result.pollVotes ?? []).map(
            ({ optionName, optionVoteCount }) => `• ${optionName ?? ''}: ${Number(optionVoteCount ?? 0)}`,
          ),
        ],
        context: result.contextInfo,
      }
    : null
}

function other({
  stickerPackMessage: pack,
  richResponseMessage: answer,
  questionResponseMessage: reply,
  statusQuestionAnswerMessage: answered,
  statusQuotedMessage: quoted,
  requestPhoneNumberMessage: asked,
  highlyStructuredMessage: filled,
}: proto.IMessage): Worded | null {
  // Only the values of an old template whose text is not told.
  if (filled) return { name: 'Template', lines: filled.params ?? [] }
  if (asked) return { name: 'Request for the phone number', lines: [], context: asked.contextInfo }
  if (pack)
    return {
      name: 'Stickers',
      lines: [pack.name, pack.publisher, pack.packDescription, pack.caption],
      context: pack.contextInfo,
    }
  if (answer)
    return {
      name: 'Answer',
      lines: (answer.submessages ?? []).map(({ messageText }) => messageText),
      context: answer.contextInfo,
    }
  const said = reply ?? answered ?? quoted
  return said ? { name: 'Answer', lines: [said.text] } : null
}

/** `BRL 21.00`. Amounts come in parts of the currency, a thousand to one unless `parts` says otherwise. */
function money(amount: Amount, currency: Line, parts = 1_000): Line {
  const value = Number(amount ?? Number.NaN) / parts
  return amount === null || amount === undefined || !Number.isFinite(value) || value === 0
    ? null
    : `${currency ?? ''} ${value.toFixed(2)}`.trim()
}

/** A moment in ISO 8601, from a number of units of `unitMs` ms; null when it is none. */
function instant(at: Amount, unitMs: number): string | null {
  const ms = Number(at ?? 0) * unitMs
  return ms > 0 && ms <= 8.64e15 ? new Date(ms).toISOString().replace('.000Z', 'Z') : null
}
