/**
 * Choices of people: answers to buttons, lists and forms, in the form of OFFICIAL numbers (`button_reply`,
 * `list_reply`, `nfm_reply`).
 */
import type { proto } from 'baileys'

export interface Reply {
  readonly type: 'interactive' | 'button'
  readonly text: string | null
  readonly interactive: Readonly<Record<string, unknown>>
}

/** The reply in a message; null without one. */
export function readReply(message: proto.IMessage): Reply | null {
  const {
    buttonsResponseMessage: button,
    listResponseMessage: list,
    templateButtonReplyMessage: template,
    interactiveResponseMessage: form,
  } = message
  if (button) return buttonReply(button.selectedButtonId ?? '', button.selectedDisplayText ?? '')
  if (template) {
    const text = template.selectedDisplayText ?? ''
    return { type: 'button', text: text || null, interactive: { text, payload: template.selectedId ?? '' } }
  }
  if (list) {
    const title = list.title ?? ''
    const reply = {
      id: list.singleSelectReply?.selectedRowId ?? '',
      title,
      ...(list.description ? { description: list.description } : {}),
    }
    return { type: 'interactive', text: title || null, interactive: { type: 'list_reply', list_reply: reply } }
  }
  return form ? formReply(form) : null
}

function buttonReply(id: string, title: string): Reply {
  return {
    type: 'interactive',
    text: title || null,
    interactive: { type: 'button_reply', button_reply: { id, title } },
  }
}

/** A form, or a quick reply of the newer kind, which is a form with one answer. */
function formReply({ body, nativeFlowResponseMessage: flow }: proto.Message.IInteractiveResponseMessage): Reply {
  const json = flow?.paramsJson ?? ''
  const id = flow?.name === 'quick_reply' ? idIn(json) : null
  if (id !== null) return buttonReply(id, body?.text ?? '')
  return {
    type: 'interactive',
    text: body?.text || null,
    interactive: {
      type: 'nfm_reply',
      nfm_reply: { name: flow?.name ?? '', body: body?.text ?? '', response_json: json },
    },
  }
}

function idIn(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json)
    const id = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['id'] : null
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}
