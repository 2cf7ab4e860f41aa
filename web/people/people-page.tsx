import { useEffect } from 'preact/hooks'
import { Announcer } from '../ui/announcer.tsx'
import { LiveHeading } from '../ui/heading.tsx'
import { AccountView } from './account-view.tsx'
import { ConsentView } from './consent-view.tsx'
import { faultText } from './fault-text.ts'
import { InviteView } from './invite-view.tsx'
import type { PageModel } from './model.ts'
import { SignInView } from './sign-in-view.tsx'

/**
 * The page for the current state of its model. `data-page` and `data-state` are for scripts that drive the page
 * ([sessions.hooks.1]).
 */
export function PeoplePage({ model }: { readonly model: PageModel }) {
  const { screen, request, words, serviceName, fault, news, isBusy } = model
  const heading = headingOf(model)
  useEffect(() => {
    document.title = `${heading} · ${serviceName}`
  }, [heading])
  const said = fault.value === null ? '' : faultText(fault.value, words)
  return (
    <main
      data-page={request.page}
      data-state={screen.value.at}
      aria-busy={isBusy.value || screen.value.at === 'loading'}
    >
      <p class="service" dir="auto">
        {serviceName}
      </p>
      <section class="card">
        <LiveHeading text={heading} />
        {said !== '' && (
          <p class="fault" data-fault={fault.value?.kind}>
            {said}
          </p>
        )}
        {news.value !== '' && <p class="news">{news.value}</p>}
        <View model={model} />
      </section>
      <Announcer text={said || news.value} />
    </main>
  )
}

function View({ model }: { readonly model: PageModel }) {
  const screen = model.screen.value
  const { leaving } = model.words
  switch (screen.at) {
    case 'loading':
      return <span class="bone" />
    case 'sign-in':
      return <SignInView model={model} />
    case 'invite':
      return <InviteView model={model} token={screen.token} invited={screen.invited} />
    case 'consent':
      return <ConsentView model={model} session={screen.session} interaction={screen.interaction} />
    case 'account':
      return <AccountView model={model} session={screen.session} grants={screen.grants} />
    case 'gone':
      return <GoneView model={model} what={screen.what} />
    case 'leaving':
      return <p class="muted">{leaving.text}</p>
  }
}

/** An invitation or request that is over. Whoever used the invitation can sign in by now, so the page offers that. */
function GoneView({
  model: {
    words: { gone, signIn },
  },
  what,
}: {
  readonly model: PageModel
  readonly what: 'invitation' | 'interaction'
}) {
  return (
    <div class="form">
      <p class="muted">{gone[what].text}</p>
      {what === 'invitation' && (
        <a class="button quiet" data-action="sign-in" href={`/login${location.search}`}>
          {signIn.submit}
        </a>
      )}
    </div>
  )
}

function headingOf({ screen: { value: screen }, words, request }: PageModel): string {
  switch (screen.at) {
    case 'loading':
      return words.loading
    case 'sign-in':
      return request.page === 'consent' ? words.signIn.headingFirst : words.signIn.heading
    case 'invite':
      return screen.invited === null ? words.invite.heading : words.invite.headingOf(screen.invited.tenant.name)
    case 'consent':
      return words.consent.heading(
        screen.interaction.client.name ?? screen.interaction.client.redirectHost,
        screen.session.tenant.name,
      )
    case 'account':
      return words.account.heading
    case 'gone':
      return words.gone[screen.what].heading
    case 'leaving':
      return words.leaving.heading
  }
}
