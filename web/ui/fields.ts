/** Makes a submit handler that gets the fields of the form by name; the browser itself does not submit the form. */
export function onFields(
  act: (fields: Readonly<Record<string, string>>, form: HTMLFormElement) => unknown,
): (event: SubmitEvent) => void {
  return (event) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const entries = [...new FormData(form)].map(
      ([name, value]) => [name, typeof value === 'string' ? value : ''] as const,
    )
    void act(Object.fromEntries(entries), form)
  }
}
