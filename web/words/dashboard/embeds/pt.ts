import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the embeds. */
export const words: Like<typeof english> = {
  heading: 'Embeds',
  about:
    'Seu produto mostra a caixa de entrada ou a página de conexão em um quadro. Uma sessão diz quem pode, e o que ela abre.',
  surface: 'O que mostra',
  surfaces: { chat: 'Caixa de entrada', connect: 'Página de conexão' },
  surfaceHints: {
    chat: 'A caixa de entrada dos números escolhidos. O token da sessão a abre.',
    connect: 'Quem pode emoldurar os links dos números. O próprio link abre a página.',
  },
  noOrigin: (text: string, meant: string | null) =>
    meant === null
      ? `${text} não é uma origem exata: https, ou http nesta máquina, só com host e porta.`
      : `${text} não é uma origem exata. Você quis dizer ${meant}?`,
  codes: { NUMBER_NOT_FOUND: 'Este número não existe mais. Recarregue a página.' },
  mint: {
    heading: 'Nova sessão',
    submit: 'Criar uma sessão',
    done: 'A sessão foi criada.',
    token: 'Token para a página',
    numbers: 'Números',
    hasNoNumbers: 'Ainda não há números.',
    numbersHint: { chat: 'Pelo menos um.', connect: 'Nenhum são todos os números.' },
    noNumber: 'Escolha pelo menos um número.',
    origins: 'Origens que podem emoldurar',
    originsHint:
      'Uma por linha, como https://crm.example: só esquema, host e porta, até 20. Toda página em volta conta.',
    start: 'Quem a usa pode escrever primeiro',
    startHint: 'Para qualquer telefone, como um envio com a sua chave. Sem isso, só responde.',
    ttl: 'Vida de um token, em segundos',
    ttlHint: 'De 60 a 3.600. Vazio são 15 minutos para a caixa de entrada e 30 para a página de conexão.',
  },
  sessions: {
    heading: 'Sessões ativas',
    none: 'Nenhuma sessão está ativa. Em geral o seu backend as cria; você pode criar uma acima.',
    id: 'Sessão',
    origins: 'Origens',
    used: 'Último uso',
    ends: 'Termina',
    act: 'Ação',
    allNumbers: 'todos os números',
    revoke: 'Revogar',
    revokeOf: (id: string) => `Revogar ${id}`,
    revoked: 'A sessão foi revogada.',
  },
  snippets: {
    heading: 'Código para copiar',
    about: (version: string) => `Versão ${version} do script, que o navegador confere pela integridade.`,
    backend: 'Seu backend cria uma sessão',
    page: { chat: 'Sua página mostra a caixa de entrada', connect: 'Sua página mostra um link de conexão' },
  },
  doctor: {
    heading: 'Por que minha página está vazia?',
    none: 'Crie uma sessão primeiro: a resposta depende dela.',
    session: 'Sessão',
    origin: 'Origem da sua página',
    originHint: 'Como https://crm.example. Pergunte uma vez por página em volta do quadro.',
    policy: 'Content-Security-Policy da sua página',
    policyHint: 'O valor do cabeçalho. Vazio se a sua página não tem.',
    submit: 'Verificar',
    allowed: (origin: string) => `A sessão permite ${origin}.`,
    notAllowed: (origin: string) => `A sessão não permite ${origin}. Inclua-a nas origens de uma nova sessão.`,
    notLive: 'Esta sessão não está mais ativa. Crie uma nova.',
    framed: 'Os navegadores mostram o quadro nessa página.',
    notFramed: 'Os navegadores recusam o quadro nessa página.',
    policyGood: 'A política permite script, pedidos e quadros.',
    policyLacks: 'Faltam estas linhas na política:',
  },
  demo: {
    heading: 'Experimente aqui',
    about: 'A caixa de entrada de um número nesta página, pelo script acima. As mensagens enviadas ali são reais.',
    needsHttps: 'Isto funciona onde o painel é aberto por https, ou nesta máquina.',
    number: 'Número',
    open: 'Mostrar a caixa de entrada',
    close: 'Fechar a caixa de entrada',
  },
}
