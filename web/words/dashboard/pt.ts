import type { Like } from '../language.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the dashboard's frame and ground. */
export const words: Like<typeof english> = {
  loading: 'Um momento',
  skip: 'Ir para o conteúdo',
  pages: 'Páginas',
  menu: 'Menu',
  nav: {
    overview: 'Visão geral',
    inbox: 'Caixa de entrada',
    calls: 'Chamadas',
    numbers: 'Números',
    webhooks: 'Webhooks',
    templates: 'Modelos',
    flows: 'Flows',
    leads: 'Leads',
    ads: 'Anúncios',
    usage: 'Uso',
    events: 'Eventos',
    keys: 'Chaves',
    people: 'Pessoas',
    branding: 'Marca',
    embeds: 'Incorporações',
  },
  docs: 'Documentação',
  account: 'Sua conta',
  byKey: 'Proprietário, por chave ou link',
  signOut: 'Sair',
  live: { lost: 'A conexão ao vivo caiu. O que você vê pode estar desatualizado até ela voltar.' },
  missing: { heading: 'Não há nada neste endereço', text: 'O link está errado, ou aquilo a que levava já não existe.' },
  denied: { heading: 'Seu papel não permite ver isto', text: 'Quem gerencia a conta pode mudar seu papel.' },
  broken: {
    heading: 'Esta página não carregou',
    text: 'A conexão caiu, ou o serviço foi atualizado nesse meio-tempo.',
    reload: 'Carregar de novo',
  },
  retry: 'Tentar de novo',
  more: 'Mostrar mais',
  back: 'Voltar',
  cancel: 'Cancelar',
  close: 'Fechar',
  save: 'Salvar',
  saved: 'Salvo.',
  copy: { copy: 'Copiar', copied: 'Copiado', notCopied: 'Não copiado' },
  copyId: (id) => `Copiar ${id}`,
  secretOnce: 'Isto aparece uma única vez. Copie agora e guarde onde só você possa ler.',
  confirm: { type: 'Para confirmar, digite o nome:', busy: 'Um momento' },
  ofNumber: { number: 'Número', none: 'Isto é de um número, e ainda não há nenhum.', add: 'Adicionar um número' },
  dates: { startDate: 'De', endDate: 'Até' },
  notices: {
    PII_RELAY_ONLY: 'Este número repassa o que as pessoas enviam e não guarda nada, por isso nada disso aparece aqui.',
    PII_RETENTION_WINDOW: 'O número guarda dados pessoais só por alguns dias; o que é mais antigo fica retido.',
  },
  exports: {
    save: 'Salvar como CSV',
    reading: (rows: number) => `Lendo, ${rows} linhas até agora`,
  },
  never: 'nunca',
  faults: {
    WRONG: 'Isso não está certo.',
    GONE: 'Isto já não existe.',
    SIGNED_OUT: 'Sua sessão terminou. Entre de novo.',
    DENIED: 'Seu papel não permite isso.',
    INVALID: 'Falta algo ou algo não está na forma certa.',
    REFUSED: 'Isso não pode ser feito agora.',
    HTTPS: 'Isto exige https.',
    ELSEWHERE:
      'Esta página ficou aberta por tempo demais ou está em outro endereço que não o do serviço. Carregue-a de novo.',
    OFF: 'Este serviço não tem isso.',
    LOST: 'Não foi possível falar com o serviço. Confira sua conexão e tente de novo.',
    SERVER: 'Algo deu errado do nosso lado. Tente de novo em um momento.',
    BUSY: (seconds) =>
      seconds === 1
        ? 'Solicitações demais. Tente de novo em um segundo.'
        : `Solicitações demais. Tente de novo em ${seconds} segundos.`,
  },
}
