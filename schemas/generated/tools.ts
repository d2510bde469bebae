// Generated from schemas/ by npm run generate; do not edit.

import type { RouteName } from './api.ts';

/** A tool for assistants, and the endpoints that it calls. */
export interface Tool {
  readonly name: string;
  /** With several, the argument `kind` names one. */
  readonly routes: readonly RouteName[];
  /** Most rows of a page, if the tool takes a limit and the caller gives none. */
  readonly limit: number;
  /** All arguments that it takes. */
  readonly takes: readonly string[];
  /** Arguments that the tool requires, and its routes do not. */
  readonly required: readonly string[];
  /** The tool as it is listed. */
  readonly listing: object;
}

export const TOOLS: readonly Tool[] = [
  {
    "name": "list_budgets",
    "routes": [
      "budgets"
    ],
    "limit": 100,
    "takes": [],
    "required": [],
    "listing": {
      "name": "list_budgets",
      "title": "List budgets",
      "description": "Lists the budgets that can be read, archived ones too, with their ids and currencies. Every other tool reads one of them.",
      "inputSchema": {
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": false
      },
      "outputSchema": {
        "title": "BudgetsAnswer",
        "description": "Every budget that the token may reach, by name, then id.",
        "type": "object",
        "properties": {
          "budgets": {
            "type": "array",
            "items": {
              "title": "Budget",
              "description": "A budget that the token's owner may read.",
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "spaceId": {
                  "description": "The space it belongs to.",
                  "type": "string"
                },
                "spaceName": {
                  "description": "Name of the space, null when it has none.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "name": {
                  "type": "string"
                },
                "currency": {
                  "description": "ISO 4217 code.",
                  "type": "string",
                  "pattern": "^[A-Z]{3}$"
                },
                "createdAt": {
                  "description": "A moment in UTC, ISO 8601 with milliseconds.",
                  "type": [
                    "string",
                    "null"
                  ],
                  "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
                  "format": "date-time"
                },
                "archivedAt": {
                  "description": "Set when a clean slate left this budget behind as an archive; its balances also live in the successor budget. ISO 8601 UTC.",
                  "type": [
                    "string",
                    "null"
                  ],
                  "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
                  "format": "date-time"
                }
              },
              "required": [
                "id",
                "spaceId",
                "spaceName",
                "name",
                "currency",
                "createdAt",
                "archivedAt"
              ]
            }
          }
        },
        "required": [
          "budgets"
        ]
      },
      "annotations": {
        "title": "List budgets",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  },
  {
    "name": "list_accounts",
    "routes": [
      "accounts"
    ],
    "limit": 100,
    "takes": [
      "budget_id",
      "name"
    ],
    "required": [],
    "listing": {
      "name": "list_accounts",
      "title": "List accounts",
      "description": "Lists all accounts of a budget with their balances of today, closed accounts too.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "budget_id": {
            "description": "The budget to read. It may be left out if the token reaches exactly one budget.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "household"
            ]
          },
          "name": {
            "description": "Only accounts of this name, in any case and any normal form; the whole name, 1 to 200 code points. Several may have it.",
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "examples": [
              "Joint account"
            ]
          }
        },
        "required": [],
        "additionalProperties": false
      },
      "outputSchema": {
        "title": "AccountsAnswer",
        "description": "All accounts of a budget, closed ones too, by position, name, id.",
        "type": "object",
        "properties": {
          "accounts": {
            "type": "array",
            "items": {
              "title": "Account",
              "description": "An account of a budget. Balances are as of today (UTC): later transactions are left out of them, but counted by transactionCount and lastTransactionDate.",
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "name": {
                  "type": "string"
                },
                "type": {
                  "description": "Kind of account; new kinds may come.",
                  "type": "string",
                  "examples": [
                    "checking"
                  ]
                },
                "currency": {
                  "description": "The account's own currency, ISO 4217; null means the budget's.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "onBudget": {
                  "description": "Its rows count in the budget's months.",
                  "type": "boolean"
                },
                "closed": {
                  "type": "boolean"
                },
                "balance": {
                  "description": "Cleared plus uncleared, in the budget's currency, as of today (UTC).",
                  "type": "string"
                },
                "clearedBalance": {
                  "description": "In the budget's currency, as of today (UTC).",
                  "type": "string"
                },
                "unclearedBalance": {
                  "description": "In the budget's currency, as of today (UTC).",
                  "type": "string"
                },
                "nativeBalance": {
                  "description": "In the account's own currency, as of today (UTC); the same as balance for an account without one.",
                  "type": "string"
                },
                "transactionCount": {
                  "description": "All transactions, those after today too.",
                  "type": "integer",
                  "minimum": 0
                },
                "lastTransactionDate": {
                  "description": "Date of the newest transaction, also one after today; null when there is none.",
                  "type": [
                    "string",
                    "null"
                  ],
                  "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                  "format": "date"
                },
                "createdAt": {
                  "description": "A moment in UTC, ISO 8601 with milliseconds.",
                  "type": [
                    "string",
                    "null"
                  ],
                  "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
                  "format": "date-time"
                }
              },
              "required": [
                "id",
                "name",
                "type",
                "currency",
                "onBudget",
                "closed",
                "balance",
                "clearedBalance",
                "unclearedBalance",
                "nativeBalance",
                "transactionCount",
                "lastTransactionDate",
                "createdAt"
              ]
            }
          }
        },
        "required": [
          "accounts"
        ]
      },
      "annotations": {
        "title": "List accounts",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  },
  {
    "name": "list_categories",
    "routes": [
      "categories"
    ],
    "limit": 100,
    "takes": [
      "budget_id",
      "include_hidden",
      "name",
      "limit",
      "offset"
    ],
    "required": [],
    "listing": {
      "name": "list_categories",
      "title": "List categories",
      "description": "Lists the groups of categories of a budget, each with its categories. limit and offset count groups.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "budget_id": {
            "description": "The budget to read. It may be left out if the token reaches exactly one budget.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "household"
            ]
          },
          "include_hidden": {
            "description": "List hidden groups and hidden categories too.",
            "type": "boolean",
            "default": false
          },
          "name": {
            "description": "Only categories of this name, in any case and any normal form; the whole name, 1 to 200 code points. A group comes with its matching categories; one without any is left out.",
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "examples": [
              "Groceries"
            ]
          },
          "limit": {
            "description": "Most rows of the page, 1 to 500.",
            "type": "integer",
            "minimum": 1,
            "maximum": 500,
            "default": 100
          },
          "offset": {
            "description": "Rows to skip; past the end is an empty page.",
            "type": "integer",
            "minimum": 0,
            "maximum": 2147483647,
            "default": 0
          }
        },
        "required": [],
        "additionalProperties": false
      },
      "outputSchema": {
        "title": "CategoriesAnswer",
        "description": "A page of category groups with their categories, by position, name, id.",
        "type": "object",
        "properties": {
          "categoryGroups": {
            "type": "array",
            "items": {
              "title": "CategoryGroup",
              "description": "A group of categories.",
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "name": {
                  "type": "string"
                },
                "hidden": {
                  "type": "boolean"
                },
                "budgetMode": {
                  "description": "Where the group is funded: envelope (from Ready to Assign), income (its rows feed Ready to Assign), unfunded (no envelope; its rows change Ready to Assign directly). New modes may come.",
                  "type": "string",
                  "examples": [
                    "envelope"
                  ]
                },
                "categories": {
                  "type": "array",
                  "items": {
                    "title": "Category",
                    "description": "A category.",
                    "type": "object",
                    "properties": {
                      "id": {
                        "type": "string"
                      },
                      "groupId": {
                        "type": "string"
                      },
                      "name": {
                        "type": "string"
                      },
                      "hidden": {
                        "type": "boolean"
                      },
                      "note": {
                        "type": [
                          "string",
                          "null"
                        ]
                      }
                    },
                    "required": [
                      "id",
                      "groupId",
                      "name",
                      "hidden",
                      "note"
                    ]
                  }
                }
              },
              "required": [
                "id",
                "name",
                "hidden",
                "budgetMode",
                "categories"
              ]
            }
          },
          "pagination": {
            "title": "Pagination",
            "description": "The page that was answered.",
            "type": "object",
            "properties": {
              "limit": {
                "type": "integer",
                "minimum": 1
              },
              "offset": {
                "type": "integer",
                "minimum": 0
              },
              "has_more": {
                "description": "True exactly when the page was full; the next one may be empty.",
                "type": "boolean"
              }
            },
            "required": [
              "limit",
              "offset",
              "has_more"
            ]
          }
        },
        "required": [
          "categoryGroups",
          "pagination"
        ]
      },
      "annotations": {
        "title": "List categories",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  },
  {
    "name": "find_by_name",
    "routes": [
      "categories",
      "payees",
      "labels",
      "accounts"
    ],
    "limit": 100,
    "takes": [
      "kind",
      "budget_id",
      "name",
      "offset"
    ],
    "required": [
      "name"
    ],
    "listing": {
      "name": "find_by_name",
      "title": "Find by name",
      "description": "Finds the accounts, categories, payees or labels that have exactly this name, in any case, to learn their ids for the filters of other tools. Several may have it; none is an empty list.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "kind": {
            "description": "Which of these to look at.",
            "type": "string",
            "enum": [
              "categories",
              "payees",
              "labels",
              "accounts"
            ]
          },
          "budget_id": {
            "description": "The budget to read. It may be left out if the token reaches exactly one budget.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "household"
            ]
          },
          "name": {
            "description": "The whole name, in any case and any normal form, 1 to 200 code points. A group comes with its categories of this name.",
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "examples": [
              "Groceries"
            ]
          },
          "offset": {
            "description": "Rows to skip; past the end is an empty page. Accounts have no pages: they all come at 0.",
            "type": "integer",
            "minimum": 0,
            "maximum": 2147483647,
            "default": 0
          }
        },
        "required": [
          "kind",
          "name"
        ],
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "anyOf": [
          {
            "title": "CategoriesAnswer",
            "description": "A page of category groups with their categories, by position, name, id.",
            "type": "object",
            "properties": {
              "categoryGroups": {
                "type": "array",
                "items": {
                  "title": "CategoryGroup",
                  "description": "A group of categories.",
                  "type": "object",
                  "properties": {
                    "id": {
                      "type": "string"
                    },
                    "name": {
                      "type": "string"
                    },
                    "hidden": {
                      "type": "boolean"
                    },
                    "budgetMode": {
                      "description": "Where the group is funded: envelope (from Ready to Assign), income (its rows feed Ready to Assign), unfunded (no envelope; its rows change Ready to Assign directly). New modes may come.",
                      "type": "string",
                      "examples": [
                        "envelope"
                      ]
                    },
                    "categories": {
                      "type": "array",
                      "items": {
                        "title": "Category",
                        "description": "A category.",
                        "type": "object",
                        "properties": {
                          "id": {
                            "type": "string"
                          },
                          "groupId": {
                            "type": "string"
                          },
                          "name": {
                            "type": "string"
                          },
                          "hidden": {
                            "type": "boolean"
                          },
                          "note": {
                            "type": [
                              "string",
                              "null"
                            ]
                          }
                        },
                        "required": [
                          "id",
                          "groupId",
                          "name",
                          "hidden",
                          "note"
                        ]
                      }
                    }
                  },
                  "required": [
                    "id",
                    "name",
                    "hidden",
                    "budgetMode",
                    "categories"
                  ]
                }
              },
              "pagination": {
                "title": "Pagination",
                "description": "The page that was answered.",
                "type": "object",
                "properties": {
                  "limit": {
                    "type": "integer",
                    "minimum": 1
                  },
                  "offset": {
                    "type": "integer",
                    "minimum": 0
                  },
                  "has_more": {
                    "description": "True exactly when the page was full; the next one may be empty.",
                    "type": "boolean"
                  }
                },
                "required": [
                  "limit",
                  "offset",
                  "has_more"
                ]
              }
            },
            "required": [
              "categoryGroups",
              "pagination"
            ]
          },
          {
            "title": "PayeesAnswer",
            "description": "A page of payees by name, then id.",
            "type": "object",
            "properties": {
              "payees": {
                "type": "array",
                "items": {
                  "title": "Payee",
                  "description": "Who was paid, or who paid.",
                  "type": "object",
                  "properties": {
                    "id": {
                      "type": "string"
                    },
                    "name": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "id",
                    "name"
                  ]
                }
              },
              "pagination": {
                "title": "Pagination",
                "description": "The page that was answered.",
                "type": "object",
                "properties": {
                  "limit": {
                    "type": "integer",
                    "minimum": 1
                  },
                  "offset": {
                    "type": "integer",
                    "minimum": 0
                  },
                  "has_more": {
                    "description": "True exactly when the page was full; the next one may be empty.",
                    "type": "boolean"
                  }
                },
                "required": [
                  "limit",
                  "offset",
                  "has_more"
                ]
              }
            },
            "required": [
              "payees",
              "pagination"
            ]
          },
          {
            "title": "LabelsAnswer",
            "description": "A page of labels by name, then id.",
            "type": "object",
            "properties": {
              "labels": {
                "type": "array",
                "items": {
                  "title": "Label",
                  "description": "A label on transactions.",
                  "type": "object",
                  "properties": {
                    "id": {
                      "type": "string"
                    },
                    "name": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "id",
                    "name"
                  ]
                }
              },
              "pagination": {
                "title": "Pagination",
                "description": "The page that was answered.",
                "type": "object",
                "properties": {
                  "limit": {
                    "type": "integer",
                    "minimum": 1
                  },
                  "offset": {
                    "type": "integer",
                    "minimum": 0
                  },
                  "has_more": {
                    "description": "True exactly when the page was full; the next one may be empty.",
                    "type": "boolean"
                  }
                },
                "required": [
                  "limit",
                  "offset",
                  "has_more"
                ]
              }
            },
            "required": [
              "labels",
              "pagination"
            ]
          },
          {
            "title": "AccountsAnswer",
            "description": "All accounts of a budget, closed ones too, by position, name, id.",
            "type": "object",
            "properties": {
              "accounts": {
                "type": "array",
                "items": {
                  "title": "Account",
                  "description": "An account of a budget. Balances are as of today (UTC): later transactions are left out of them, but counted by transactionCount and lastTransactionDate.",
                  "type": "object",
                  "properties": {
                    "id": {
                      "type": "string"
                    },
                    "name": {
                      "type": "string"
                    },
                    "type": {
                      "description": "Kind of account; new kinds may come.",
                      "type": "string",
                      "examples": [
                        "checking"
                      ]
                    },
                    "currency": {
                      "description": "The account's own currency, ISO 4217; null means the budget's.",
                      "type": [
                        "string",
                        "null"
                      ]
                    },
                    "onBudget": {
                      "description": "Its rows count in the budget's months.",
                      "type": "boolean"
                    },
                    "closed": {
                      "type": "boolean"
                    },
                    "balance": {
                      "description": "Cleared plus uncleared, in the budget's currency, as of today (UTC).",
                      "type": "string"
                    },
                    "clearedBalance": {
                      "description": "In the budget's currency, as of today (UTC).",
                      "type": "string"
                    },
                    "unclearedBalance": {
                      "description": "In the budget's currency, as of today (UTC).",
                      "type": "string"
                    },
                    "nativeBalance": {
                      "description": "In the account's own currency, as of today (UTC); the same as balance for an account without one.",
                      "type": "string"
                    },
                    "transactionCount": {
                      "description": "All transactions, those after today too.",
                      "type": "integer",
                      "minimum": 0
                    },
                    "lastTransactionDate": {
                      "description": "Date of the newest transaction, also one after today; null when there is none.",
                      "type": [
                        "string",
                        "null"
                      ],
                      "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                      "format": "date"
                    },
                    "createdAt": {
                      "description": "A moment in UTC, ISO 8601 with milliseconds.",
                      "type": [
                        "string",
                        "null"
                      ],
                      "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
                      "format": "date-time"
                    }
                  },
                  "required": [
                    "id",
                    "name",
                    "type",
                    "currency",
                    "onBudget",
                    "closed",
                    "balance",
                    "clearedBalance",
                    "unclearedBalance",
                    "nativeBalance",
                    "transactionCount",
                    "lastTransactionDate",
                    "createdAt"
                  ]
                }
              }
            },
            "required": [
              "accounts"
            ]
          }
        ]
      },
      "annotations": {
        "title": "Find by name",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  },
  {
    "name": "get_month",
    "routes": [
      "months"
    ],
    "limit": 100,
    "takes": [
      "month",
      "budget_id"
    ],
    "required": [],
    "listing": {
      "name": "get_month",
      "title": "Get a budget month",
      "description": "What was assigned, spent and held in one month of a budget, and what is left to assign.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "month": {
            "description": "The month to read, from 0001-01 to 9999-12; outside the data too.",
            "type": "string",
            "examples": [
              "2026-03"
            ]
          },
          "budget_id": {
            "description": "The budget to read. It may be left out if the token reaches exactly one budget.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "household"
            ]
          }
        },
        "required": [
          "month"
        ],
        "additionalProperties": false
      },
      "outputSchema": {
        "title": "MonthsAnswer",
        "description": "One budget month.",
        "type": "object",
        "properties": {
          "month": {
            "description": "A calendar month, YYYY-MM.",
            "type": "string"
          },
          "readyToAssign": {
            "description": "What is left to assign; may be negative.",
            "type": "string"
          },
          "assigned": {
            "description": "Assigned in this month.",
            "type": "string"
          },
          "cashBalance": {
            "description": "Sum of all transactions on on-budget accounts up to the end of the month.",
            "type": "string"
          },
          "overspentTotal": {
            "description": "How far the overspent envelopes are short, not below 0.00.",
            "type": "string"
          },
          "overspentCount": {
            "description": "Number of overspent envelopes.",
            "type": "integer",
            "minimum": 0
          },
          "uncategorizedCount": {
            "description": "Number of transactions that uncategorized=true lists for this month.",
            "type": "integer",
            "minimum": 0
          },
          "heldForNextMonth": {
            "description": "Held in this month for the next one.",
            "type": "string"
          }
        },
        "required": [
          "month",
          "readyToAssign",
          "assigned",
          "cashBalance",
          "overspentTotal",
          "overspentCount",
          "uncategorizedCount",
          "heldForNextMonth"
        ]
      },
      "annotations": {
        "title": "Get a budget month",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  },
  {
    "name": "get_envelopes",
    "routes": [
      "category-months"
    ],
    "limit": 100,
    "takes": [
      "budget_id",
      "start_month",
      "end_month",
      "category_id",
      "include_hidden"
    ],
    "required": [],
    "listing": {
      "name": "get_envelopes",
      "title": "Get envelopes by month",
      "description": "What each category of the envelope groups was assigned, what was spent and what is left, for each month of a range of at most 60 months. Spending is negative.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "budget_id": {
            "description": "The budget to read. It may be left out if the token reaches exactly one budget.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "household"
            ]
          },
          "start_month": {
            "description": "First month, from 0001-01 to 9999-12, or current: the month of today in UTC.",
            "type": "string",
            "examples": [
              "current"
            ]
          },
          "end_month": {
            "description": "Last month, included; the same values. At most 60 months in all.",
            "type": "string",
            "examples": [
              "current"
            ]
          },
          "category_id": {
            "description": "Only this category, also a hidden one.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "category-groceries"
            ]
          },
          "include_hidden": {
            "description": "List hidden categories and those of hidden groups too.",
            "type": "boolean",
            "default": false
          }
        },
        "required": [
          "start_month",
          "end_month"
        ],
        "additionalProperties": false
      },
      "outputSchema": {
        "title": "CategoryMonthsAnswer",
        "description": "The envelopes of a budget month by month, oldest first.",
        "type": "object",
        "properties": {
          "months": {
            "type": "array",
            "items": {
              "title": "CategoryMonths",
              "description": "The envelopes of a budget in one month.",
              "type": "object",
              "properties": {
                "month": {
                  "description": "A calendar month, YYYY-MM.",
                  "type": "string"
                },
                "categories": {
                  "description": "In the order of /categories.",
                  "type": "array",
                  "items": {
                    "title": "CategoryMonth",
                    "description": "The envelope of a category in one month. The figures cover the whole month, dates after today too.",
                    "type": "object",
                    "properties": {
                      "categoryId": {
                        "type": "string"
                      },
                      "categoryName": {
                        "type": "string"
                      },
                      "groupId": {
                        "type": "string"
                      },
                      "groupName": {
                        "type": "string"
                      },
                      "hidden": {
                        "description": "The category or its group is hidden.",
                        "type": "boolean"
                      },
                      "assigned": {
                        "description": "Assigned to the category in this month.",
                        "type": "string"
                      },
                      "activity": {
                        "description": "Sum of its transactions of this month on on-budget accounts; negative means spent.",
                        "type": "string"
                      },
                      "available": {
                        "description": "What is left at the end of the month: assigned and activity, and what came from the month before.",
                        "type": "string"
                      },
                      "carriesOver": {
                        "description": "Overspending stays in the category in the next month; otherwise it lowers readyToAssign there.",
                        "type": "boolean"
                      }
                    },
                    "required": [
                      "categoryId",
                      "categoryName",
                      "groupId",
                      "groupName",
                      "hidden",
                      "assigned",
                      "activity",
                      "available",
                      "carriesOver"
                    ]
                  }
                }
              },
              "required": [
                "month",
                "categories"
              ]
            }
          }
        },
        "required": [
          "months"
        ]
      },
      "annotations": {
        "title": "Get envelopes by month",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  },
  {
    "name": "list_transactions",
    "routes": [
      "transactions"
    ],
    "limit": 100,
    "takes": [
      "budget_id",
      "account_id",
      "category_id",
      "payee_id",
      "label_id",
      "type",
      "min_amount",
      "max_amount",
      "start_date",
      "end_date",
      "search",
      "uncategorized",
      "uncleared",
      "limit",
      "offset"
    ],
    "required": [],
    "listing": {
      "name": "list_transactions",
      "title": "List transactions",
      "description": "Lists transactions of a budget, newest first, by any combination of filters. To add amounts up, sum_transactions is exact and cheaper.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "budget_id": {
            "description": "The budget to read. It may be left out if the token reaches exactly one budget.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "household"
            ]
          },
          "account_id": {
            "description": "Only rows of this account.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "account-joint"
            ]
          },
          "category_id": {
            "description": "Only rows of this category.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "category-groceries"
            ]
          },
          "payee_id": {
            "description": "Only rows of this payee.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "payee-rewe"
            ]
          },
          "label_id": {
            "description": "Only rows that carry this label; their labels come whole.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "label-work"
            ]
          },
          "type": {
            "type": "string",
            "enum": [
              "standard",
              "transfer",
              "startingBalance",
              "reconciliation"
            ],
            "description": "Only rows of this type.",
            "examples": [
              "transfer"
            ]
          },
          "min_amount": {
            "description": "Only rows of this amount and higher; amounts have a sign, so -100.00 is below -12.30.",
            "type": "string",
            "examples": [
              "-100.00"
            ]
          },
          "max_amount": {
            "description": "Only rows of this amount and lower: -50.00 keeps what cost 50.00 and more.",
            "type": "string",
            "examples": [
              "-50.00"
            ]
          },
          "start_date": {
            "description": "Only rows of this date and later.",
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
            "format": "date",
            "examples": [
              "2026-03-01"
            ]
          },
          "end_date": {
            "description": "Only rows of this date and earlier.",
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
            "format": "date",
            "examples": [
              "2026-03-31"
            ]
          },
          "search": {
            "description": "Only rows whose payee, memo or category contains this text, taken literally, in any case: 1 to 200 code points.",
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "examples": [
              "market"
            ]
          },
          "uncategorized": {
            "description": "true: only rows of on-budget accounts that have no category and need one; false: only the others.",
            "type": "boolean"
          },
          "uncleared": {
            "description": "true: only rows that are not cleared; false: only the others.",
            "type": "boolean"
          },
          "limit": {
            "description": "Most rows of the page, 1 to 1000.",
            "type": "integer",
            "minimum": 1,
            "maximum": 1000,
            "default": 100
          },
          "offset": {
            "description": "Rows to skip; past the end is an empty page.",
            "type": "integer",
            "minimum": 0,
            "maximum": 2147483647,
            "default": 0
          }
        },
        "required": [],
        "additionalProperties": false
      },
      "outputSchema": {
        "title": "TransactionsAnswer",
        "description": "A page of transactions, newest date first, within a date the one entered last first.",
        "type": "object",
        "properties": {
          "transactions": {
            "type": "array",
            "items": {
              "title": "Transaction",
              "description": "One row. Each leg of a split is a row of its own; a transfer is two rows.",
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "date": {
                  "description": "A calendar date without a timezone, YYYY-MM-DD.",
                  "type": "string",
                  "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                  "format": "date"
                },
                "accountId": {
                  "type": "string"
                },
                "accountName": {
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "payeeId": {
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "payeeName": {
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "categoryId": {
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "categoryName": {
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "memo": {
                  "description": "As entered; empty when there is none.",
                  "type": "string"
                },
                "amount": {
                  "description": "In the budget's currency; negative means outflow.",
                  "type": "string"
                },
                "amountNative": {
                  "description": "In the account's own currency; null for an account without one.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "exchangeRate": {
                  "description": "Units of the budget's currency for one unit of the account's own, above 0; null for an account without one.",
                  "type": [
                    "number",
                    "null"
                  ]
                },
                "currency": {
                  "description": "The account's own currency, ISO 4217; null means the budget's.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "type": {
                  "description": "Kind of transaction; transfer exactly when transferAccountId is not null. New kinds may come.",
                  "type": "string",
                  "examples": [
                    "standard"
                  ]
                },
                "cleared": {
                  "type": "boolean"
                },
                "reconciled": {
                  "description": "Reconciled implies cleared.",
                  "type": "boolean"
                },
                "transferAccountId": {
                  "description": "The other account of a transfer.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "splitGroupId": {
                  "description": "Shared by every leg of a split.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "labels": {
                  "description": "By name, then id; empty when there are none.",
                  "type": "array",
                  "items": {
                    "title": "Label",
                    "description": "A label on transactions.",
                    "type": "object",
                    "properties": {
                      "id": {
                        "type": "string"
                      },
                      "name": {
                        "type": "string"
                      }
                    },
                    "required": [
                      "id",
                      "name"
                    ]
                  }
                },
                "createdAt": {
                  "description": "A moment in UTC, ISO 8601 with milliseconds.",
                  "type": [
                    "string",
                    "null"
                  ],
                  "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
                  "format": "date-time"
                }
              },
              "required": [
                "id",
                "date",
                "accountId",
                "accountName",
                "payeeId",
                "payeeName",
                "categoryId",
                "categoryName",
                "memo",
                "amount",
                "amountNative",
                "exchangeRate",
                "currency",
                "type",
                "cleared",
                "reconciled",
                "transferAccountId",
                "splitGroupId",
                "labels",
                "createdAt"
              ]
            }
          },
          "pagination": {
            "title": "Pagination",
            "description": "The page that was answered.",
            "type": "object",
            "properties": {
              "limit": {
                "type": "integer",
                "minimum": 1
              },
              "offset": {
                "type": "integer",
                "minimum": 0
              },
              "has_more": {
                "description": "True exactly when the page was full; the next one may be empty.",
                "type": "boolean"
              }
            },
            "required": [
              "limit",
              "offset",
              "has_more"
            ]
          }
        },
        "required": [
          "transactions",
          "pagination"
        ]
      },
      "annotations": {
        "title": "List transactions",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  },
  {
    "name": "sum_transactions",
    "routes": [
      "sums"
    ],
    "limit": 100,
    "takes": [
      "budget_id",
      "group_by",
      "interval",
      "start_date",
      "end_date",
      "account_id",
      "category_id",
      "payee_id",
      "label_id",
      "on_budget",
      "transfers",
      "limit",
      "offset"
    ],
    "required": [],
    "listing": {
      "name": "sum_transactions",
      "title": "Sum transactions",
      "description": "Adds transactions up by account, category, group of categories, payee or label, as a whole or by month or year: what was spent and received. Without transfers, unless asked for. By label the sums overlap.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "budget_id": {
            "description": "The budget to read. It may be left out if the token reaches exactly one budget.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "household"
            ]
          },
          "group_by": {
            "description": "What to add up by: everything that was spent and received at one payee, say. With label, a row counts once under each of its labels. none: all rows together.",
            "type": "string",
            "enum": [
              "account",
              "category",
              "categoryGroup",
              "payee",
              "label",
              "none"
            ],
            "examples": [
              "category"
            ]
          },
          "interval": {
            "description": "month, year: sums of each month or year that has rows; none: of the whole time.",
            "type": "string",
            "enum": [
              "none",
              "month",
              "year"
            ],
            "default": "none",
            "examples": [
              "month"
            ]
          },
          "start_date": {
            "description": "Only rows of this date and later.",
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
            "format": "date",
            "examples": [
              "2026-03-01"
            ]
          },
          "end_date": {
            "description": "Only rows of this date and earlier.",
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
            "format": "date",
            "examples": [
              "2026-03-31"
            ]
          },
          "account_id": {
            "description": "Only rows of this account.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "account-joint"
            ]
          },
          "category_id": {
            "description": "Only rows of this category.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "category-groceries"
            ]
          },
          "payee_id": {
            "description": "Only rows of this payee.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "payee-edeka"
            ]
          },
          "label_id": {
            "description": "Only rows with this label.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "label-christmas"
            ]
          },
          "on_budget": {
            "description": "true: only rows of on-budget accounts; false: only the others.",
            "type": "boolean"
          },
          "transfers": {
            "description": "exclude: no rows that name the account on the other side of a transfer; include: those too; only: nothing else.",
            "type": "string",
            "enum": [
              "exclude",
              "include",
              "only"
            ],
            "default": "exclude"
          },
          "limit": {
            "description": "Most sums of the page, 1 to 1000, over all periods together.",
            "type": "integer",
            "minimum": 1,
            "maximum": 1000,
            "default": 100
          },
          "offset": {
            "description": "Sums to skip; past the end is an empty page.",
            "type": "integer",
            "minimum": 0,
            "maximum": 2147483647,
            "default": 0
          }
        },
        "required": [
          "group_by"
        ],
        "additionalProperties": false
      },
      "outputSchema": {
        "title": "SumsAnswer",
        "description": "A page of sums: by period, oldest first; then net, smallest first; then name (none last), then id.",
        "type": "object",
        "properties": {
          "sums": {
            "type": "array",
            "items": {
              "title": "Sum",
              "description": "What was received and spent in some rows, in the budget's currency. Only what has rows has a sum.",
              "type": "object",
              "properties": {
                "period": {
                  "description": "The month or the year; a range that begins or ends within it leaves its name as it is. null with interval=none.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "id": {
                  "description": "Of the account, category, group, payee or label; null for rows without one, and with group_by=none.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "name": {
                  "description": "Its name, as it is now; null where id is.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "inflow": {
                  "description": "Sum of the positive amounts.",
                  "type": "string"
                },
                "outflow": {
                  "description": "Sum of the negative amounts, so never above 0.00.",
                  "type": "string"
                },
                "net": {
                  "description": "inflow plus outflow.",
                  "type": "string"
                },
                "count": {
                  "description": "Number of rows, those of 0.00 too.",
                  "type": "integer",
                  "minimum": 1
                }
              },
              "required": [
                "period",
                "id",
                "name",
                "inflow",
                "outflow",
                "net",
                "count"
              ]
            }
          },
          "pagination": {
            "title": "Pagination",
            "description": "The page that was answered.",
            "type": "object",
            "properties": {
              "limit": {
                "type": "integer",
                "minimum": 1
              },
              "offset": {
                "type": "integer",
                "minimum": 0
              },
              "has_more": {
                "description": "True exactly when the page was full; the next one may be empty.",
                "type": "boolean"
              }
            },
            "required": [
              "limit",
              "offset",
              "has_more"
            ]
          }
        },
        "required": [
          "sums",
          "pagination"
        ]
      },
      "annotations": {
        "title": "Sum transactions",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  },
  {
    "name": "get_balances",
    "routes": [
      "balances"
    ],
    "limit": 100,
    "takes": [
      "budget_id",
      "start_date",
      "end_date",
      "interval",
      "account_id"
    ],
    "required": [],
    "listing": {
      "name": "get_balances",
      "title": "Get balances over time",
      "description": "The balance of all accounts together, or of one account, at the end of each day, week or month of a range; at most 1000 points.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "budget_id": {
            "description": "The budget to read. It may be left out if the token reaches exactly one budget.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "household"
            ]
          },
          "start_date": {
            "description": "The first point is on this date or after it.",
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
            "format": "date",
            "examples": [
              "2026-01-01"
            ]
          },
          "end_date": {
            "description": "The last point is on this date.",
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
            "format": "date",
            "examples": [
              "2026-03-31"
            ]
          },
          "interval": {
            "description": "day: a point for each day; week: for each Sunday; month: for the last day of each month. At most 1000 points in all.",
            "type": "string",
            "enum": [
              "day",
              "week",
              "month"
            ],
            "default": "day",
            "examples": [
              "month"
            ]
          },
          "account_id": {
            "description": "Balances of this account instead of the sums of all accounts.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "account-joint"
            ]
          }
        },
        "required": [
          "start_date",
          "end_date"
        ],
        "additionalProperties": false
      },
      "outputSchema": {
        "title": "BalancesAnswer",
        "description": "Balances over time, oldest first.",
        "type": "object",
        "properties": {
          "points": {
            "type": "array",
            "items": {
              "title": "BalancePoint",
              "description": "Balances on one date: of all transactions up to that date. Without account_id those of the budget, closed accounts too: total and onBudget. With it those of the account: balance and nativeBalance.",
              "type": "object",
              "properties": {
                "date": {
                  "description": "A calendar date without a timezone, YYYY-MM-DD.",
                  "type": "string",
                  "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                  "format": "date"
                },
                "total": {
                  "description": "Of all accounts, in the budget's currency. Only without account_id.",
                  "type": "string"
                },
                "onBudget": {
                  "description": "Of the on-budget accounts, in the budget's currency. Only without account_id.",
                  "type": "string"
                },
                "balance": {
                  "description": "Of the account, in the budget's currency. Only with account_id.",
                  "type": "string"
                },
                "nativeBalance": {
                  "description": "Of the account, in its own currency; the same as balance for an account without one. Only with account_id.",
                  "type": "string"
                }
              },
              "required": [
                "date"
              ]
            }
          }
        },
        "required": [
          "points"
        ]
      },
      "annotations": {
        "title": "Get balances over time",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  },
  {
    "name": "list_changes",
    "routes": [
      "changes"
    ],
    "limit": 100,
    "takes": [
      "budget_id",
      "cursor",
      "limit"
    ],
    "required": [],
    "listing": {
      "name": "list_changes",
      "title": "List changes",
      "description": "Lists what changed in a budget since an earlier call gave its cursor, or everything from the start; what was deleted is named.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "budget_id": {
            "description": "The budget to read. It may be left out if the token reaches exactly one budget.",
            "type": "string",
            "pattern": "^[A-Za-z0-9_.:~-]{1,128}$",
            "examples": [
              "household"
            ]
          },
          "cursor": {
            "description": "The cursor of the answer before; absent: everything from the start.",
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "examples": [
              "2.kRx0fVd2m_Q.42.42.42.7..R6XxMu"
            ]
          },
          "limit": {
            "description": "Most things of the page, of all kinds together, those that are gone too: 1 to 1000.",
            "type": "integer",
            "minimum": 1,
            "maximum": 1000,
            "default": 100
          }
        },
        "required": [],
        "additionalProperties": false
      },
      "outputSchema": {
        "title": "ChangesAnswer",
        "description": "A page of changes. First remove what deleted names, then add or replace the rest.",
        "type": "object",
        "properties": {
          "accounts": {
            "type": "array",
            "items": {
              "title": "Account",
              "description": "An account of a budget. Balances are as of today (UTC): later transactions are left out of them, but counted by transactionCount and lastTransactionDate.",
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "name": {
                  "type": "string"
                },
                "type": {
                  "description": "Kind of account; new kinds may come.",
                  "type": "string",
                  "examples": [
                    "checking"
                  ]
                },
                "currency": {
                  "description": "The account's own currency, ISO 4217; null means the budget's.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "onBudget": {
                  "description": "Its rows count in the budget's months.",
                  "type": "boolean"
                },
                "closed": {
                  "type": "boolean"
                },
                "balance": {
                  "description": "Cleared plus uncleared, in the budget's currency, as of today (UTC).",
                  "type": "string"
                },
                "clearedBalance": {
                  "description": "In the budget's currency, as of today (UTC).",
                  "type": "string"
                },
                "unclearedBalance": {
                  "description": "In the budget's currency, as of today (UTC).",
                  "type": "string"
                },
                "nativeBalance": {
                  "description": "In the account's own currency, as of today (UTC); the same as balance for an account without one.",
                  "type": "string"
                },
                "transactionCount": {
                  "description": "All transactions, those after today too.",
                  "type": "integer",
                  "minimum": 0
                },
                "lastTransactionDate": {
                  "description": "Date of the newest transaction, also one after today; null when there is none.",
                  "type": [
                    "string",
                    "null"
                  ],
                  "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                  "format": "date"
                },
                "createdAt": {
                  "description": "A moment in UTC, ISO 8601 with milliseconds.",
                  "type": [
                    "string",
                    "null"
                  ],
                  "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
                  "format": "date-time"
                }
              },
              "required": [
                "id",
                "name",
                "type",
                "currency",
                "onBudget",
                "closed",
                "balance",
                "clearedBalance",
                "unclearedBalance",
                "nativeBalance",
                "transactionCount",
                "lastTransactionDate",
                "createdAt"
              ]
            }
          },
          "categoryGroups": {
            "type": "array",
            "items": {
              "title": "CategoryGroupSummary",
              "description": "A group of categories, without them.",
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "name": {
                  "type": "string"
                },
                "hidden": {
                  "type": "boolean"
                },
                "budgetMode": {
                  "description": "As in CategoryGroup. New modes may come.",
                  "type": "string",
                  "examples": [
                    "envelope"
                  ]
                }
              },
              "required": [
                "id",
                "name",
                "hidden",
                "budgetMode"
              ]
            }
          },
          "categories": {
            "type": "array",
            "items": {
              "title": "Category",
              "description": "A category.",
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "groupId": {
                  "type": "string"
                },
                "name": {
                  "type": "string"
                },
                "hidden": {
                  "type": "boolean"
                },
                "note": {
                  "type": [
                    "string",
                    "null"
                  ]
                }
              },
              "required": [
                "id",
                "groupId",
                "name",
                "hidden",
                "note"
              ]
            }
          },
          "payees": {
            "type": "array",
            "items": {
              "title": "Payee",
              "description": "Who was paid, or who paid.",
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "name": {
                  "type": "string"
                }
              },
              "required": [
                "id",
                "name"
              ]
            }
          },
          "labels": {
            "type": "array",
            "items": {
              "title": "Label",
              "description": "A label on transactions.",
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "name": {
                  "type": "string"
                }
              },
              "required": [
                "id",
                "name"
              ]
            }
          },
          "transactions": {
            "type": "array",
            "items": {
              "title": "Transaction",
              "description": "One row. Each leg of a split is a row of its own; a transfer is two rows.",
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "date": {
                  "description": "A calendar date without a timezone, YYYY-MM-DD.",
                  "type": "string",
                  "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                  "format": "date"
                },
                "accountId": {
                  "type": "string"
                },
                "accountName": {
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "payeeId": {
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "payeeName": {
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "categoryId": {
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "categoryName": {
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "memo": {
                  "description": "As entered; empty when there is none.",
                  "type": "string"
                },
                "amount": {
                  "description": "In the budget's currency; negative means outflow.",
                  "type": "string"
                },
                "amountNative": {
                  "description": "In the account's own currency; null for an account without one.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "exchangeRate": {
                  "description": "Units of the budget's currency for one unit of the account's own, above 0; null for an account without one.",
                  "type": [
                    "number",
                    "null"
                  ]
                },
                "currency": {
                  "description": "The account's own currency, ISO 4217; null means the budget's.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "type": {
                  "description": "Kind of transaction; transfer exactly when transferAccountId is not null. New kinds may come.",
                  "type": "string",
                  "examples": [
                    "standard"
                  ]
                },
                "cleared": {
                  "type": "boolean"
                },
                "reconciled": {
                  "description": "Reconciled implies cleared.",
                  "type": "boolean"
                },
                "transferAccountId": {
                  "description": "The other account of a transfer.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "splitGroupId": {
                  "description": "Shared by every leg of a split.",
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "labels": {
                  "description": "By name, then id; empty when there are none.",
                  "type": "array",
                  "items": {
                    "title": "Label",
                    "description": "A label on transactions.",
                    "type": "object",
                    "properties": {
                      "id": {
                        "type": "string"
                      },
                      "name": {
                        "type": "string"
                      }
                    },
                    "required": [
                      "id",
                      "name"
                    ]
                  }
                },
                "createdAt": {
                  "description": "A moment in UTC, ISO 8601 with milliseconds.",
                  "type": [
                    "string",
                    "null"
                  ],
                  "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
                  "format": "date-time"
                }
              },
              "required": [
                "id",
                "date",
                "accountId",
                "accountName",
                "payeeId",
                "payeeName",
                "categoryId",
                "categoryName",
                "memo",
                "amount",
                "amountNative",
                "exchangeRate",
                "currency",
                "type",
                "cleared",
                "reconciled",
                "transferAccountId",
                "splitGroupId",
                "labels",
                "createdAt"
              ]
            }
          },
          "deleted": {
            "type": "array",
            "items": {
              "title": "Deletion",
              "description": "Names something that was there and is gone.",
              "type": "object",
              "properties": {
                "kind": {
                  "description": "What it was. New kinds may come.",
                  "type": "string",
                  "examples": [
                    "account"
                  ]
                },
                "id": {
                  "type": "string"
                }
              },
              "required": [
                "kind",
                "id"
              ]
            }
          },
          "cursor": {
            "description": "For the next request. Opaque, at most 200 characters; it stays valid when the budget is projected again.",
            "type": "string",
            "maxLength": 200
          },
          "has_more": {
            "description": "True where more changes are there already. False: up to date at X-Projection-Position; keep the cursor for the next time.",
            "type": "boolean"
          }
        },
        "required": [
          "accounts",
          "categoryGroups",
          "categories",
          "payees",
          "labels",
          "transactions",
          "deleted",
          "cursor",
          "has_more"
        ]
      },
      "annotations": {
        "title": "List changes",
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  }
];
