import {
  AudioSource,
  Content,
  ContentPart,
  ContentParts,
  FileSource,
  ImageSource,
  Message,
  MessageId as MessageIds,
  MessageRole as Roles,
  Messages,
  MessageStore,
  Metadata,
  Section,
  Sections,
  SessionId,
  Sessions,
  StoreMessagesResult,
  ToolCall,
  ToolCallId as ToolCallIds,
  ToolCalls,
  ToolResult,
} from '../../src/index.ts';
import { audioFromFile, fileFromFile, imageFromFile } from '../../src/node/index.ts';
import { facade, Id, shownAs } from './facade.ts';

class MessageId extends Id {
  static generate = (): MessageId => new MessageId(MessageIds.generate());

  constructor(text: string) {
    super(MessageIds.from(text));
  }
}

class MessageSessionId extends Id {
  static generate = (): MessageSessionId => new MessageSessionId(SessionId.generate());

  constructor(text: string) {
    super(SessionId.from(text));
  }
}

class ToolCallId extends Id {
  constructor(text: string) {
    super(text.trim() === '' ? text : ToolCallIds.from(text));
  }
}

/** What all lists have; an index outside gives nothing, a negative one too. */
const list = {
  get: (self: { at(index: number): unknown }, index: number) => (index < 0 ? undefined : self.at(index)),
};

/** The reference shows a message's content as it is sent: without marks, private fields and blank lists. */
const messageArray = (message: Message) => ({ ...message.toJSON(), content: message.content.normalized() });
const messagesArray = (messages: Iterable<Message>) => [...messages].map(messageArray);
const sectionArray = (section: Section) => ({ ...section.toJSON(), messages: messagesArray(section) });

const messages = facade(Messages, {
  members: {
    ...list,
    toArray: messagesArray,
    messageList: (self) => shownAs(messageList, self),
    headList: (self) => shownAs(messageList, self.headList()),
    tailList: (self) => shownAs(messageList, self.tailList()),
  },
});

const messageList = facade(Messages, {
  members: {
    ...list,
    toArray: messagesArray,
    isEmpty: ({ size }) => size === 0,
    add: 'appendMessage',
    addAll: 'appendMessages',
    prependAll: 'prependMessages',
    withoutEmpty: 'withoutEmptyMessages',
  },
});

const newId = (id: string | undefined) => (id === undefined ? null : new MessageId(id));

/** What the reference calls a storage. */
export const sessions = facade(Sessions, {
  members: {
    createSession: async (self, id) => new MessageSessionId(await self.createSession(id ?? undefined)),
    fork: async (self, id, at) => new MessageSessionId(await self.fork(id, at)),
    getLeafId: async (self, id) => newId(await self.getLeafId(id)),
    get: async (self, id, message) => (await self.get(id, message)) ?? null,
  },
});

/** The classes of the reference, by name. */
export const classes = {
  MessageId,
  MessageSessionId,
  ToolCallId,
  MessageRole: facade(Roles, {
    statics: {
      cases: () => Roles.values,
      fromString: 'from',
      fromAny: 'from',
      tryFromString: 'tryFrom',
      tryFromAny: 'tryFrom',
    },
  }),
  Message: facade(Message, {
    properties: ['createdAt'],
    members: {
      id: ({ id }) => new MessageId(id),
      parentId: ({ parentId }) => parentId && new MessageId(parentId),
      toArray: messageArray,
    },
  }),
  Messages: messages,
  MessageList: messageList,
  Content: facade(Content, {
    members: { partsList: 'parts', parts: ({ parts }) => [...parts], toArray: 'toExport' },
  }),
  ContentPart: facade(ContentPart, { members: { toArray: 'toExport' } }),
  ContentParts: facade(ContentParts, { members: { ...list, toArray: 'toExport' } }),
  ToolCall: facade(ToolCall, {
    create: ({ arguments: args, ...fields }) => ToolCall.of({ args, ...fields }),
    members: {
      id: ({ id }) => id && new ToolCallId(id),
      arguments: 'args',
      argumentsAsJson: 'argsAsJson',
      withArguments: 'withArgs',
    },
  }),
  ToolCalls: facade(ToolCalls, { members: list }),
  ToolResult: facade(ToolResult, {
    members: {
      content: ({ content }) => content.plainText ?? content,
      callId: ({ callId }) => callId && new ToolCallId(callId),
    },
  }),
  Metadata: facade(Metadata),
  StoreMessagesResult: facade(StoreMessagesResult, {
    properties: [
      'sessionId',
      'success',
      'startedAt',
      'finishedAt',
      'sectionsStored',
      'messagesStored',
      'newMessages',
      'errorMessage',
    ],
    members: { sessionId: ({ sessionId }) => new MessageSessionId(sessionId) },
  }),
  Image: facade(ImageSource, {
    create: (url, mimeType) => ImageSource.of({ [/^data:/i.test(url) ? 'dataUri' : 'url']: url, mimeType }),
    statics: {
      fromUrl: (url, mimeType) => ImageSource.fromUrl(url, { mimeType }),
      fromBase64: (dataUri, mimeType) => ImageSource.fromDataUri(dataUri, { mimeType }),
      fromFile: imageFromFile,
    },
    members: {
      getBase64Bytes: 'dataUri',
      getMimeType: 'mimeType',
      toArray: (self) => ({ role: 'user', content: self.toContent().toExport() }),
    },
  }),
  File: facade(FileSource, {
    statics: {
      fromBase64: (dataUri, mimeType) => FileSource.fromDataUri(dataUri, { mimeType }),
      fromFile: fileFromFile,
    },
    members: { getBase64Bytes: 'fileData', getMimeType: 'mimeType' },
  }),
  Audio: facade(AudioSource, {
    create: (format, data) => AudioSource.of({ format, data }),
    statics: { fromFile: audioFromFile },
    members: { getBase64Bytes: 'data' },
  }),
  Section: facade(Section, { members: { toArray: sectionArray } }),
  Sections: facade(Sections, { members: { toArray: (self) => self.map(sectionArray) } }),
  MessageStore: facade(MessageStore, {
    create: (sections, parameters) => MessageStore.of({ sections, parameters }),
    members: {
      toArray: (self) => ({ ...self.toJSON(), sections: self.sections.map(sectionArray) }),
      toFlatArray: (self) => messagesArray(self.toMessages()),
    },
  }),
};
