import { pairing } from '../../connect/pt.ts'
import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the list of numbers. */
export const words: Like<typeof english> = {
  heading: 'Números',
  add: 'Adicionar um número',
  none: 'Ainda não há números. Adicione o primeiro e pareie-o com o telefone, ou conecte-o pelas credenciais oficiais.',
  columns: { name: 'Número', kind: 'Tipo', state: 'Estado', calling: 'Chamadas' },
  kinds: { paired: 'Pareado por QR', account: 'Oficial' },
  states: {
    OPEN: 'Conectado',
    CONNECTING: 'Conectando',
    CLOSE: 'Não conectado',
    LOADING: 'Conectado, ainda carregando',
  },
  calling: {
    ENABLED: 'Ativadas',
    NOT_ENABLED: 'Não ativadas',
    PENDING_TIER: 'Aguardam um limite maior',
    PENDING_WEBHOOK: 'Aguardam o campo de chamadas',
    paired: 'Ativadas',
  },
  form: {
    heading: 'Adicionar um número',
    kind: 'Tipo de número',
    kindHints: {
      paired: 'Você o pareia lendo um código com o telefone dele.',
      account: 'Pertence a uma conta comercial da plataforma oficial.',
    },
    name: 'Nome',
    nameHint: 'Aparece nas listas e para quem pareia o telefone.',
    number: 'Número de telefone',
    numberHint: 'Com código do país, de 10 a 15 dígitos: 5511999990001.',
    history: 'Importar o histórico do telefone quando ele se conectar',
    historyHint: 'Só pode ser escolhido agora: o telefone envia o histórico uma única vez.',
    officialPhoneId: 'Id do número de telefone',
    officialAccountId: 'Id da conta comercial',
    officialAccessToken: 'Token de acesso',
    officialAppId: 'Id do aplicativo',
    officialAppSecret: 'Segredo do aplicativo',
    officialAppSecretHint: 'Verifica o que a plataforma entrega. Sem ele nada é aceito.',
    optional: 'opcional',
    create: 'Adicionar',
  },
  created: {
    heading: (name) => `${name} foi adicionado`,
    key: 'Chave deste número',
    verifyToken: 'Token de verificação do webhook da plataforma',
    webhookUrl: 'Endereço do webhook da plataforma',
    open: 'Abrir o número',
  },
  pairing,
  connect: {
    phoneAccepted: 'O telefone aceitou o código. Concluindo…',
    done: 'Conectado.',
    paused: 'Nenhum código novo é mostrado, para que nenhum fique à espera sem ser visto.',
    newCode: 'Mostrar um novo código',
  },
  codes: {
    NUMBER_ALREADY_EXISTS: 'A conta já tem este número.',
    NUMBER_LIMIT_EXCEEDED: 'A conta não pode ter mais números. Remova um antes.',
    OFFICIAL_CREDENTIALS_REJECTED: 'A plataforma oficial não aceita estas credenciais:',
    DEVICE_NETWORK_TIMEOUT: 'Nenhum código chegou a tempo. Tente de novo.',
    DEVICE_NETWORK_ERROR: 'A rede de dispositivos recusou. Tente de novo em um momento.',
  },
}
