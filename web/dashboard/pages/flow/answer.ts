/** What a customer submitted ([flows.responses.4]). */
export interface FlowAnswer {
  readonly id: string
  readonly contactNumber: string | null
  readonly contactName: string | null
  /** Null when it cannot be read ([flows.responses.6]). */
  readonly response: Readonly<Record<string, unknown>> | null
  readonly rawResponse?: string
  readonly submittedAt: string
}

/** Whether an event brings an answer to a Flow: a message of upstream's type `nfm_reply` ([flows.responses.1]). */
export function isOfAnswers({ event, data }: { readonly event: string; readonly data: unknown }): boolean {
  return event === 'messages' && JSON.stringify(data).includes('"nfm_reply"')
}

/** The answer as one text. */
export function textOf({ response, rawResponse }: FlowAnswer): string {
  return response === null ? (rawResponse ?? '') : JSON.stringify(response)
}

/**
 * A column for each field that answers have, as the newest have them. Answers that cannot be read stand as they came
 * in a column of their own, which has the name `unread`.
 */
export function answerColumnsOf(answers: readonly FlowAnswer[], unread: string) {
  const fields = new Set(answers.flatMap(({ response }) => Object.keys(response ?? {})))
  const columns = [...fields].map((name) => ({
    name,
    cellOf: ({ response }: FlowAnswer) =>
      response !== null && Object.hasOwn(response, name) ? cellOf(response[name]) : '',
  }))
  if (answers.every(({ response }) => response !== null)) return columns
  return [...columns, { name: unread, cellOf: (one: FlowAnswer) => (one.response === null ? textOf(one) : '') }]
}

/** Texts stand as they are, lists of texts joined, everything else as JSON. */
function cellOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('; ')
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
