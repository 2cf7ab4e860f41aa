/**
 * Says what changed to those who do not see it, once they have heard the rest. It stands in the page from its start:
 * what is added later is not listened to.
 */
export function Announcer({ text }: { readonly text: string }) {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {text}
    </p>
  )
}
