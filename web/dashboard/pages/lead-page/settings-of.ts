/** The names that the fields of a variable have: those of the API. */
export function fieldNamesOf(key: string) {
  const path = `autoSend.variables.${key}`
  return { field: `${path}.field`, fallback: `${path}.fallback`, value: `${path}.value` }
}

/**
 * The settings of a form as the service takes them ([leads.routes.9]). A variable comes from an answer, with a fallback
 * where one was typed, or is a fixed text.
 */
export function settingsOf(fields: FormData, keys: readonly string[]): object {
  const text = (name: string): string => String(fields.get(name) ?? '')
  const [consentKey, templateId] = [text('consentKey'), text('autoSend.templateId')]
  const variables = keys.map((key) => {
    const names = fieldNamesOf(key)
    const [field, fallback] = [text(names.field), text(names.fallback)]
    if (field === '') return [key, { value: text(names.value) }]
    return [key, fallback === '' ? { field } : { field, fallback }]
  })
  return {
    consentKey: consentKey === '' ? null : consentKey,
    autoSend:
      templateId === ''
        ? null
        : {
            templateId,
            variables: Object.fromEntries(variables),
            onlyWithConsent: fields.has('autoSend.onlyWithConsent'),
            skipRecentConversationDays: Number(text('autoSend.skipRecentConversationDays')),
          },
  }
}
