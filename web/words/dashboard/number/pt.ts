import type { Like } from '../../language.ts'
import { words as numbers } from '../numbers/pt.ts'
import type { words as english } from './en.ts'

/** Portuguese words of one number. */
export const words: Like<typeof english> = {
  ...numbers,
  loading: 'Número',
  above: 'Todos os números',
  facts: {
    id: 'Id',
    number: 'Número de telefone',
    kind: 'Tipo',
    state: 'Estado',
    calling: 'Chamadas',
    created: 'Adicionado',
  },
  stateTexts: {
    OPEN: 'Mensagens e chamadas passam.',
    LOADING: 'O telefone está conectado, e seus dados ainda estão chegando.',
    CONNECTING: 'A conexão está sendo feita.',
    CLOSE: {
      paired:
        'Nenhum telefone está conectado. Conecte um por código, ou envie um link de conexão a quem está com o telefone.',
      account: 'A plataforma oficial não aceita pedidos deste número. Confira as credenciais abaixo.',
    },
  },
  callingTexts: {
    paired: 'As chamadas passam enquanto o telefone está conectado.',
    ENABLED: 'As chamadas estão ativadas na plataforma oficial.',
    NOT_ENABLED: 'As chamadas não estão ativadas na plataforma oficial.',
    PENDING_TIER:
      'A plataforma oficial permite chamadas a partir de um limite de 2.000 mensagens por dia. Envie a mais pessoas para subir o limite; o serviço ativa as chamadas quando ele subir.',
    PENDING_WEBHOOK:
      'O aplicativo na plataforma oficial não assina o campo calls. O serviço o assina e tenta de novo; se isto continuar, assine calls nas configurações do aplicativo.',
  },
  enable: {
    label: 'Ativar chamadas agora',
    done: 'As chamadas estão ativadas.',
    waits: 'A plataforma oficial ainda não permite chamadas. O número diz o que falta.',
  },
  health: {
    heading: 'Situação',
    quality: 'Qualidade',
    tier: 'Limite de mensagens',
    status: 'Status na plataforma',
    sendable: 'Pode enviar',
    yes: 'sim',
    no: 'não',
    unknown: 'não se sabe',
    level: 'Avaliação da rede de dispositivos',
    levels: { ok: 'boa', warning: 'advertência', restricted: 'restrita' },
  },
  connectHeading: 'Conectar o telefone',
  actions: {
    connect: 'Conectar',
    hide: 'Ocultar o código',
    copyLink: 'Copiar um link de conexão',
    logout: 'Desconectar',
    delete: 'Remover',
  },
  link: {
    heading: 'Link de conexão',
    text: 'Quem o abrir pode conectar o telefone como este número. Vale por 24 horas e uma única vez; um mais novo o encerra.',
    copied: 'O link foi copiado.',
  },
  logout: {
    heading: 'Desconectar este número?',
    text: 'O telefone sai, e precisa ler um código para se conectar de novo. Mensagens e configurações ficam.',
    done: 'O número está desconectado.',
  },
  remove: {
    heading: 'Remover este número?',
    text: 'Suas chamadas terminam, sua chave para na hora, seus webhooks são removidos, e suas mensagens não podem mais ser lidas. Não há como desfazer.',
    done: (name) => `${name} foi removido.`,
  },
  settings: {
    heading: 'Configurações',
    name: 'Nome',
    default: 'Como o provedor faz por padrão',
    on: 'Sim',
    off: 'Não',
    historyImportEnabled: 'Importar o histórico do telefone quando ele se conectar',
    historyHint: 'O telefone envia o histórico uma única vez, ao parear: isto vale para o próximo pareamento.',
    webhookHistoricalMessages: 'Entregar o histórico importado aos webhooks',
    ignoreNewsletters: 'Descartar publicações de canais',
    rejectCall: 'Recusar chamadas recebidas',
    msgRejectCall: 'Mensagem a quem foi recusado',
    msgRejectCallHint: 'Vazio: nenhuma é enviada.',
    alwaysOnline: 'Sempre mostrado como on-line',
    readMessages: 'Marcar mensagens como lidas ao chegar',
    ignoreGroups: 'Ignorar grupos',
    ignoreStatus: 'Ignorar stories',
    official: 'As configurações de telefones não valem para números oficiais.',
  },
  voice: {
    heading: 'Robô de voz',
    text: 'As chamadas recebidas são ligadas a um servidor seu, que ouve e fala nelas.',
    connectTo: 'Endereço do servidor',
    connectToHint: 'Ele é chamado a cada ligação, por um WebSocket.',
    authorization: 'Valor do cabeçalho Authorization',
    authorizationHint: 'Vai com cada conexão, é guardado selado e não é mostrado.',
    headersStored: (names) => `Guardado: ${names}. Vazio: fica como está, para o mesmo servidor.`,
    dialect: 'Fala como',
    dialects: {
      native: 'o protocolo próprio do serviço',
      vonage: 'um servidor feito para a Vonage',
      twilio: 'um servidor feito para a Twilio',
    },
    answer: 'Uma chamada',
    answers: { accept: 'é atendida assim que o servidor se conecta', ring: 'toca até o servidor atender' },
    onUnreachable: 'Enquanto o servidor não responde, uma chamada',
    unreachable: { ring: 'continua tocando para os outros', reject: 'é recusada' },
    onDisconnect: 'Quando o servidor sai de uma chamada atendida, ela',
    disconnect: { keep: 'continua', hangup: 'termina', grace: 'termina após 30 segundos sem outro' },
    record: 'Gravar as chamadas',
    remove: 'Remover o robô',
  },
  privacy: {
    heading: 'Privacidade',
    mode: 'Guardar dados pessoais',
    modes: {
      STORE_INDEFINITE: 'Enquanto o número existir',
      STORE_X_DAYS: 'Por alguns dias',
      RELAY_ONLY: 'Não guardar: só repassar',
    },
    texts: {
      STORE_INDEFINITE: 'Mensagens, arquivos e nomes ficam até o número ser removido.',
      STORE_X_DAYS:
        'O que for mais antigo deixa de ser mostrado no momento em que você salvar, e é apagado em até uma hora: conteúdos, arquivos, endereços e nomes.',
      RELAY_ONLY:
        'O que está guardado agora perde conteúdos, arquivos, endereços e nomes. A partir daí, os eventos os levam uma vez, e nada deles fica guardado.',
    },
    days: 'Dias',
  },
  credentials: {
    heading: 'Credenciais da plataforma oficial',
    text: 'São conferidas na plataforma antes de serem guardadas, e nunca mostradas. Campos vazios ficam como estão.',
    phoneId: 'Id do número de telefone',
    accountId: 'Id da conta comercial',
    appId: 'Id do aplicativo',
    save: 'Conferir e salvar',
    saved: 'As credenciais foram guardadas.',
  },
}
