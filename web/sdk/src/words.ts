const WORDS = {
  en: {
    chat: 'Inbox',
    connect: 'Connect a phone',
    close: 'Close',
    failed: 'This part of the page could not be loaded.',
  },
  pt: {
    chat: 'Caixa de entrada',
    connect: 'Conectar um telefone',
    close: 'Fechar',
    failed: 'Não foi possível carregar esta parte da página.',
  },
  es: {
    chat: 'Bandeja de entrada',
    connect: 'Conectar un teléfono',
    close: 'Cerrar',
    failed: 'No se pudo cargar esta parte de la página.',
  },
}

/** The few texts that the SDK puts on the host page itself, in a language; null means the language of the page. */
export function wordsOf(locale: string | null): (typeof WORDS)['en'] {
  const language = (locale ?? document.documentElement.lang).slice(0, 2).toLowerCase()
  return WORDS[language as keyof typeof WORDS] ?? WORDS.en
}
