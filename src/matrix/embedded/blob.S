/* The packed matrix and its documents, as envgen_pack wrote them. Read-only, aligned as the widest row needs. */
        .section .rodata
        .balign 16
        .globl envgen_matrix_begin
envgen_matrix_begin:
        .incbin ENVGEN_MATRIX_BLOB
        .byte 0
        .globl envgen_documents_begin
        .globl envgen_documents_end
envgen_documents_begin:
        .incbin ENVGEN_MATRIX_DOCUMENTS
envgen_documents_end:
        .byte 0
        .section .note.GNU-stack, "", %progbits
