/** Kinds of refusals that a page has words of its own for. */
export type RefusalKind = 'missing' | 'busy' | 'failed' | 'insecure' | 'refused' | 'client'

interface Words {
  readonly heading: string
  readonly text: string
}

type WordsOfKinds = Readonly<Record<RefusalKind, Words>> & { readonly detail: string; readonly docs: string }

/** The English words; the other languages have the same keys. */
const en: WordsOfKinds = {
  missing: {
    heading: 'There is nothing at this address',
    text: 'The link is wrong, or too old. Check it, or ask whoever gave it to you for a new one.',
  },
  busy: { heading: 'Too many requests', text: 'Wait a moment, then load this page again.' },
  failed: {
    heading: 'This does not work at the moment',
    text: 'It is nothing that you did. Load this page again in a minute.',
  },
  insecure: { heading: 'This needs https', text: 'Ask whoever runs this service to serve it by https.' },
  refused: { heading: 'This cannot be shown', text: 'The address is one for programs, or something in it is wrong.' },
  client: {
    heading: 'This app cannot be let in',
    text: 'It is not known here, or it did not ask in a form that can be trusted. Nothing was given to it. Go back to the app, and tell whoever makes it what stands below.',
  },
  detail: 'For whoever looks into it:',
  docs: 'Documentation of this service',
}

const pt: WordsOfKinds = {
  missing: {
    heading: 'Não há nada neste endereço',
    text: 'O link está errado ou é antigo demais. Confira-o ou peça um novo a quem o enviou.',
  },
  busy: { heading: 'Solicitações demais', text: 'Espere um momento e carregue esta página de novo.' },
  failed: {
    heading: 'Isto não funciona no momento',
    text: 'Não foi nada que você fez. Carregue esta página de novo em um minuto.',
  },
  insecure: { heading: 'Isto precisa de https', text: 'Peça a quem opera este serviço que o ofereça por https.' },
  refused: { heading: 'Isto não pode ser mostrado', text: 'O endereço é para programas, ou algo nele está errado.' },
  client: {
    heading: 'Este aplicativo não pode ser autorizado',
    text: 'Ele não é conhecido aqui, ou não pediu de uma forma confiável. Nada foi dado a ele. Volte ao aplicativo e diga a quem o faz o que está abaixo.',
  },
  detail: 'Para quem for investigar:',
  docs: 'Documentação deste serviço',
}

const es: WordsOfKinds = {
  missing: {
    heading: 'No hay nada en esta dirección',
    text: 'El enlace está mal o es demasiado antiguo. Revísalo o pide uno nuevo a quien te lo dio.',
  },
  busy: { heading: 'Demasiadas solicitudes', text: 'Espera un momento y vuelve a cargar esta página.' },
  failed: {
    heading: 'Esto no funciona en este momento',
    text: 'No es nada que hayas hecho. Vuelve a cargar esta página en un minuto.',
  },
  insecure: { heading: 'Esto necesita https', text: 'Pide a quien opera este servicio que lo ofrezca por https.' },
  refused: { heading: 'Esto no se puede mostrar', text: 'La dirección es para programas, o algo en ella está mal.' },
  client: {
    heading: 'No se puede autorizar esta aplicación',
    text: 'No se la conoce aquí, o no pidió de una forma fiable. No se le dio nada. Vuelve a la aplicación y di a quien la hace lo que está abajo.',
  },
  detail: 'Para quien lo investigue:',
  docs: 'Documentación de este servicio',
}

/** The words of refusals by language of the page. */
export const REFUSAL_WORDS = { en, pt, es }
